package io.pmstore.cli.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.cli.path.Step.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a path: its steps, names in quotes, and what is no path. */
class StepTest {
  @Test
  void eachKindOfStepIsRead() {
    assertEquals(
        List.of(
            new Step(Kind.ROOT, "exchange"),
            new Step(Kind.PROPERTY, "orders"),
            new Step(Kind.KEY, "1.5"),
            new Step(Kind.POSITION, "3"),
            new Step(Kind.ADDRESS, "4096")),
        Step.parse("exchange.orders[1.5][#3][@4096]"));
    assertEquals(List.of(new Step(Kind.ADDRESS, "0x40")), Step.parse("@0x40"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "a.b", "two words", "a \"quote\"", "back\\slash", "]", "", "@#"})
  void whatIsWrittenIsReadAgain(String text) {
    String path = Step.written(text, false) + "[" + Step.written(text, true) + "]";
    assertEquals(
        List.of(new Step(Kind.ROOT, text), new Step(Kind.KEY, text)), Step.parse(path), path);
  }

  @Test
  void onlyOddNamesAreInQuotes() {
    assertEquals("BRL:USD", Step.written("BRL:USD", false));
    assertEquals("1.5", Step.written("1.5", true));
    assertEquals("\"1.5\"", Step.written("1.5", false));
  }

  @ParameterizedTest
  @CsvSource({
    "'',          found the end at character 1,  the name of a root",
    "@x,          found 'x' at character 2,      an address",
    "a.,          found the end at character 3,  the name of a property",
    "a[1,         found the end at character 4,  ]",
    "a[1]b,       found 'b' at character 5,      . or [",
    "'a[\"b',     found the end at character 5,  a closing quote",
  })
  void aFaultSaysWhereAndWhatWasExpected(String path, String found, String expected) {
    String message =
        assertThrows(PathSyntaxException.class, () -> StorePath.check(path)).getMessage();
    assertTrue(message.contains(found), message);
    assertTrue(message.contains("expected " + expected), message);
  }
}
