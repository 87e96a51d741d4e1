package io.pmstore.proxy.bean;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which declared types can have values that change in place. */
class InPlaceTest {
  record Employee(String name, @Nullable Department department) {}

  record Department(String name, @Nullable Employee head) {}

  record Project(@Nullable Task first, String name) {}

  record Task(@Nullable Project project, int[] hours) {}

  @Test
  void recordsThatReferToEachOtherChangeIfOneOfThemDoes() {
    assertFalse(InPlace.mayChange(Employee.class));
    assertFalse(InPlace.mayChange(Department.class));
    assertTrue(InPlace.mayChange(Project.class));
    assertTrue(InPlace.mayChange(Task.class));
  }

  @Test
  void aRecordOfAnUnknownClassMayChange() {
    assertTrue(InPlace.mayChange(Record.class));
  }
}
