package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.convert.Steps.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepsTest {
  private final Steps steps = new Steps();
  private final List<String> undone = new ArrayList<>();

  private void add(Kind kind, String step) {
    steps.add(kind, () -> undone.add(step));
  }

  @Test
  void undoesTheStepsBehindAMarkByKind() {
    add(Kind.PROPERTY, "before");
    int mark = steps.mark();
    add(Kind.CONVERSION, "conversion");
    add(Kind.PROPERTY, "property 1");
    add(Kind.CONTENTS, "contents");
    add(Kind.PROPERTY, "property 2");
    assertTrue(steps.hasSince(mark));
    steps.undoSince(mark);
    assertEquals(List.of("property 2", "property 1", "contents", "conversion"), undone);
    assertFalse(steps.hasSince(mark));
    undone.clear();
    steps.undoSince(0);
    assertEquals(List.of("before"), undone);
  }

  /** All conflicts are one instance, which cannot suppress itself. */
  @Test
  void stepsMayFailWithOneInstance() {
    Error conflict = new AssertionError("conflict");
    int mark = steps.mark();
    for (int i = 0; i < 2; i++) {
      steps.add(
          Kind.CONTENTS,
          () -> {
            throw conflict;
          });
    }
    add(Kind.CONVERSION, "conversion");
    assertSame(conflict, assertThrows(AssertionError.class, () -> steps.undoSince(mark)));
    assertEquals(List.of("conversion"), undone);
  }
}
