package io.pmstore.proxy.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How messages name what is reached from a plain object. */
class PathTest {
  private static final class PlainOrder {}

  private final Path lines = Path.of(new PlainOrder()).property("lines", List.class);

  @Test
  void theTextNamesEachStep() {
    assertEquals("plainOrder.lines[7][null]", lines.element(7).element(null).toString());
    assertEquals("string", Path.of(String.class).toString());
  }

  @Test
  void aStepLeavesThePathBeforeIt() {
    Path first = lines.element(0);
    assertEquals("plainOrder.lines[1]", lines.element(1).toString());
    assertEquals("plainOrder.lines[0]", first.toString());
  }

  @Test
  void onlyPropertiesHaveADeclaredType() {
    assertTrue(lines.isOfProperty());
    assertEquals(List.class, lines.declaredType());
    for (Path other : List.of(lines.element(0), Path.of(PlainOrder.class))) {
      assertFalse(other.isOfProperty());
      assertEquals(Object.class, other.declaredType());
    }
  }
}
