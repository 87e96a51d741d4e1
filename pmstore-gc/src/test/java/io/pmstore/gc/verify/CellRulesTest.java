package io.pmstore.gc.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.ValueType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CellRulesTest {
  private static final Set<String> NOT_TAGS = Set.of("SIZE", "C_OFFSET", "ADDRESS", "INLINE_MAX");
  private static final EnumTable ENUMS = new EnumTable();

  static {
    ENUMS.add(new ValueType(2, "com.acme.Money", "money", 1));
    ENUMS.add(new EnumType(1, "com.acme.Side", List.of("BUY", "SELL")));
  }

  private static Map<Integer, String> tags() throws IllegalAccessException {
    Map<Integer, String> tags = new TreeMap<>();
    for (Field field : CellLayout.class.getDeclaredFields()) {
      if (field.getType() == int.class
          && Modifier.isPublic(field.getModifiers())
          && !NOT_TAGS.contains(field.getName())) {
        assertNull(tags.put(field.getInt(null), field.getName()), "two tags of one number");
      }
    }
    return tags;
  }

  @Test
  void everyTagOfTheFormatIsKnownAndNoOther() throws IllegalAccessException {
    Map<Integer, String> tags = tags();
    for (int tag = 1; tag < 256; tag++) {
      int b = tag == CellLayout.DATE ? 0 : tag == CellLayout.REGISTERED ? 2 : 1;
      String expected = CellRules.check(CellLayout.first(tag, 0, b), 1, ENUMS);
      if (tag == CellLayout.STRING) {
        assertEquals("zeros behind 0 characters", expected);
      } else if (tags.containsKey(tag)) {
        assertNull(expected, tags.get(tag));
      } else {
        assertEquals("a tag of the cell format", expected, "tag " + tag);
      }
    }
  }

  private static void assertRange(int tag, int a, int b, long min, long max) {
    long first = CellLayout.first(tag, a, b);
    assertNull(CellRules.check(first, min, ENUMS), "tag " + tag);
    assertNull(CellRules.check(first, max, ENUMS), "tag " + tag);
    assertNotNull(CellRules.check(first, min - 1, ENUMS), "tag " + tag);
    assertNotNull(CellRules.check(first, max + 1, ENUMS), "tag " + tag);
  }

  @Test
  void valuesInLineHaveTheRangeOfTheirTypes() {
    assertRange(CellLayout.BOOLEAN, 0, 0, 0, 1);
    assertRange(CellLayout.BYTE, 0, 0, -128, 127);
    assertRange(CellLayout.SHORT, 0, 0, -32768, 32767);
    assertRange(CellLayout.CHARACTER, 0, 0, 0, 65535);
    assertRange(CellLayout.INTEGER, 0, 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
    assertRange(CellLayout.ENUM, 0, 1, 0, 1);
    assertRange(CellLayout.LOCAL_TIME, 0, 0, 0, 86_400_000_000_000L - 1);
    assertRange(CellLayout.ZONE_OFFSET, 0, 0, -18 * 3600, 18 * 3600);
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.ENUM, 0, 2), 0, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.INSTANT, 0, -1), 0, ENUMS));
    assertNotNull(
        CellRules.check(CellLayout.first(CellLayout.INSTANT, 0, 1_000_000_000), 0, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.MONTH_DAY, 0, 13), 1, ENUMS));
    assertNotNull(
        CellRules.check(CellLayout.first(CellLayout.OFFSET_DATE_TIME, 18 * 3600 + 1, 0), 0, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.DATE, 2, 1), 5, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.DATE, 4, 0), 5, ENUMS));
    long timestamp = CellLayout.first(CellLayout.DATE, 3, 995_123_456);
    assertNull(CellRules.check(timestamp, -5, ENUMS));
    assertNotNull(CellRules.check(timestamp, 5, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.OPTIONAL, 1, 4), 5, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.OPTIONAL, 2, 1), 5, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.REGISTERED, 0, 1), 8, ENUMS));
    assertNotNull(CellRules.check(0, 5, ENUMS), "null with something behind it");
  }

  @Test
  void stringsInLineEndInZeros() {
    for (int length = 0; length <= CellLayout.INLINE_MAX; length++) {
      long first = CellLayout.STRING | (long) length << 8;
      long second = 0;
      for (int i = 0; i < length; i++) {
        if (i < 6) {
          first |= 0xffL << (16 + 8 * i);
        } else {
          second |= 0xffL << (8 * (i - 6));
        }
      }
      assertNull(CellRules.check(first, second, ENUMS), length + " characters");
      if (length < 6) {
        assertNotNull(CellRules.check(first | 1L << (16 + 8 * length), second, ENUMS));
      } else if (length < CellLayout.INLINE_MAX) {
        assertNotNull(CellRules.check(first, second | 1L << (8 * (length - 6)), ENUMS));
      }
    }
    assertNotNull(CellRules.check(CellLayout.STRING | 15L << 8, 0, ENUMS));
  }

  @Test
  void bytesOutOfLineHaveALengthThatTheirTypeCanHave() {
    assertNull(CellRules.checkLength(CellLayout.STRING_UTF16, 4));
    assertNotNull(CellRules.checkLength(CellLayout.STRING_UTF16, 5));
    assertNull(CellRules.checkLength(CellLayout.UUID, 16));
    assertNotNull(CellRules.checkLength(CellLayout.UUID, 15));
    assertNotNull(CellRules.checkLength(CellLayout.BIG_INTEGER_LONG, 0));
    assertNotNull(CellRules.checkLength(CellLayout.ZONED_DATE_TIME, 16));
    assertNull(CellRules.checkLength(CellLayout.STRING_LATIN1, 0));
    long ints = CellLayout.first(CellLayout.PRIMITIVE_ARRAY, 0, SlotKind.INT.code());
    assertNull(CellRules.checkLength(ints, 8));
    assertNotNull(CellRules.checkLength(ints, 6));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.PRIMITIVE_ARRAY, 0, 9), 8, ENUMS));
    assertNull(CellRules.check(CellLayout.first(CellLayout.TEXT, 0, 14), 8, ENUMS));
    assertNotNull(CellRules.check(CellLayout.first(CellLayout.TEXT, 0, 15), 8, ENUMS));
  }
}
