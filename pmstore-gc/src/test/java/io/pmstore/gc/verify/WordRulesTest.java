package io.pmstore.gc.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.WordLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WordRulesTest {
  private static final Set<SlotKind> WITH_BLOBS =
      EnumSet.of(
          SlotKind.LONG_WORD,
          SlotKind.INSTANT_WORD,
          SlotKind.DURATION_WORD,
          SlotKind.DATE_TIME_WORD,
          SlotKind.DECIMAL_WORD);

  private static void assertRange(SlotKind kind, long min, long max) {
    assertNull(WordRules.check(kind, WordLayout.inline(min)), kind + "");
    assertNull(WordRules.check(kind, WordLayout.inline(max)), kind + "");
    assertNotNull(WordRules.check(kind, WordLayout.inline(min - 1)), kind + "");
    assertNotNull(WordRules.check(kind, WordLayout.inline(max + 1)), kind + "");
  }

  @Test
  void valuesInLineHaveTheRangeOfTheirTypes() {
    assertRange(SlotKind.BOOLEAN_WORD, 0, 1);
    assertRange(SlotKind.BYTE_WORD, -128, 127);
    assertRange(SlotKind.SHORT_WORD, -32768, 32767);
    assertRange(SlotKind.CHARACTER_WORD, 0, 65535);
    assertRange(SlotKind.INTEGER_WORD, Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertRange(SlotKind.FLOAT_WORD, Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertRange(SlotKind.TIME_WORD, 0, 86_400_000_000_000L - 1);
    assertRange(SlotKind.DATE_WORD, -365_243_219_162L, 365_241_780_471L);
  }

  @Test
  void onlyKindsThatNeedThemHaveBlobs() {
    for (SlotKind kind : Arrays.stream(SlotKind.values()).filter(SlotKind::isWord).toList()) {
      String expected = WITH_BLOBS.contains(kind) ? null : "a value in line";
      assertEquals(expected, WordRules.check(kind, 1 << 20), kind + "");
      assertNotNull(WordRules.check(kind, (1 << 20) + 2), kind + "");
    }
  }

  @Test
  void blobsHaveTheLengthOfTheirKind() {
    assertNull(WordRules.checkLength(SlotKind.LONG_WORD, 8));
    assertNotNull(WordRules.checkLength(SlotKind.LONG_WORD, 7));
    assertNull(WordRules.checkLength(SlotKind.INSTANT_WORD, 12));
    assertNotNull(WordRules.checkLength(SlotKind.DURATION_WORD, 11));
    assertNotNull(WordRules.checkLength(SlotKind.DATE_TIME_WORD, 13));
    assertNull(WordRules.checkLength(SlotKind.DECIMAL_WORD, 5));
    assertNotNull(WordRules.checkLength(SlotKind.DECIMAL_WORD, 4));
  }
}
