package io.pmstore.cli.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What makes an object of a document. */
class JsonTest {
  @Test
  void namesHaveValuesAndKeepTheirOrder() {
    assertEquals(List.of("b", "a"), List.copyOf(Json.object("b", null, "a", 1).keySet()));
  }

  @Test
  void aNameWithoutAValueIsRefused() {
    assertRefused("argument 2 of [a, 1, b] is no name with a value", "a", 1, "b");
  }

  @Test
  void aNameIsAString() {
    assertRefused("argument 2 of [a, 1, 7, b] is no name", "a", 1, 7, "b");
    assertRefused("argument 0 of [null, 1] is no name", null, 1);
  }

  private static void assertRefused(String message, Object... properties) {
    String found =
        assertThrows(IllegalArgumentException.class, () -> Json.object(properties)).getMessage();
    assertTrue(found.contains(message), found);
  }
}
