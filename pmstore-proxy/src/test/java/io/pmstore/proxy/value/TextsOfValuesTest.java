package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.URI;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value whose text does not describe all of it is not kept as a text. */
class TextsOfValuesTest {
  @ParameterizedTest
  @CsvSource({
    "ab, 0",
    "(?i)ab, 0",
    "(?i)(?s)ab, 8",
    "a(?i:b)c, 0",
    "(a(?i)b)c, 0",
    "a(?=b), 2",
    "a#(?i), 16",
    "'a b # (?i)', 4",
    "(?-i)a, 2",
    "(?x) a b, 0"
  })
  void patternsWithFlagsFromTheirStart(String expression, int flags) {
    Pattern pattern = Pattern.compile(expression, flags);
    assertEquals(TextCells.PATTERN, TextCells.of(pattern));
    Pattern again = Pattern.compile(pattern.pattern(), pattern.flags());
    for (String text : new String[] {"ab", "AB", "aB", "a b", "abc", "aBC"}) {
      assertEquals(pattern.matcher(text).find(), again.matcher(text).find(), text);
    }
  }

  @ParameterizedTest
  @CsvSource({"a(?i)b, 0", "a(?-i)b, 2", "'a b(?x) c', 0", "'(?i)a(?-i)b', 0", "'a(?s).', 2"})
  void patternsThatChangeTheirFlagsLater(String expression, int flags) {
    assertNull(TextCells.of(Pattern.compile(expression, flags)));
  }

  @Test
  void aRelativeAddressWithAColonInItsFirstPart() {
    URI base = URI.create("http://h/x/");
    assertEquals(TextCells.URI, TextCells.of(base));
    assertEquals(TextCells.URI, TextCells.of(base.relativize(URI.create("http://h/x/y"))));
    assertNull(TextCells.of(base.relativize(URI.create("http://h/x/a:b"))));
  }
}
