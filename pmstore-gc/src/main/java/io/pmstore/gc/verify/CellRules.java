package io.pmstore.gc.verify;

import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.SlotKind;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The rules for cells of each tag; see {@link CellLayout}. Each method returns what was expected,
 * or null if the cell is valid.
 */
final class CellRules {
  private static final int TEXT_KINDS = 14;
  private static final int TIMESTAMP = 3; // the last of the kinds of dates
  private static final int NANOS_OF_MILLISECOND = 1_000_000;
  private static final long NANOS_MAX = 999_999_999;
  private static final long OFFSET_MAX = ZoneOffset.MAX.getTotalSeconds();
  private static final int ZONED_MIN = Long.BYTES + 2 * Integer.BYTES;

  private CellRules() {}

  /** Checks the tag, and an in-line value. */
  static @Nullable String check(long first, long second, EnumTable enums) {
    int a = CellLayout.a(first);
    int b = CellLayout.b(first);
    return switch (CellLayout.tag(first)) {
      case CellLayout.NULL -> "a cell of zeros, for null";
      case CellLayout.BOOLEAN -> range(second, 0, 1);
      case CellLayout.BYTE -> range(second, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case CellLayout.SHORT -> range(second, Short.MIN_VALUE, Short.MAX_VALUE);
      case CellLayout.CHARACTER -> range(second, Character.MIN_VALUE, Character.MAX_VALUE);
      case CellLayout.INTEGER -> range(second, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case CellLayout.STRING -> stringInLine(first, second);
      case CellLayout.ENUM -> constant(b, second, enums);
      case CellLayout.INSTANT, CellLayout.DURATION, CellLayout.LOCAL_DATE_TIME ->
          range(b, 0, NANOS_MAX);
      case CellLayout.OFFSET_DATE_TIME ->
          either(range(b, 0, NANOS_MAX), range(a, -OFFSET_MAX, OFFSET_MAX));
      case CellLayout.LOCAL_TIME -> range(second, 0, LocalTime.MAX.toNanoOfDay());
      case CellLayout.OFFSET_TIME ->
          either(range(second, 0, LocalTime.MAX.toNanoOfDay()), range(b, -OFFSET_MAX, OFFSET_MAX));
      case CellLayout.ZONE_OFFSET -> range(second, -OFFSET_MAX, OFFSET_MAX);
      case CellLayout.MONTH_DAY -> either(range(b, 1, 12), range(second, 1, 31));
      case CellLayout.LONG,
          CellLayout.FLOAT,
          CellLayout.DOUBLE,
          CellLayout.BIG_INTEGER,
          CellLayout.BIG_DECIMAL,
          CellLayout.LOCAL_DATE,
          CellLayout.YEAR,
          CellLayout.YEAR_MONTH,
          CellLayout.PERIOD,
          CellLayout.STRING_LATIN1,
          CellLayout.STRING_UTF16,
          CellLayout.BIG_INTEGER_LONG,
          CellLayout.BIG_DECIMAL_LONG,
          CellLayout.UUID,
          CellLayout.ZONED_DATE_TIME,
          CellLayout.ZONE_REGION,
          CellLayout.CLASS,
          CellLayout.EMBEDDED,
          CellLayout.OBJECT ->
          null;
      case CellLayout.DATE -> date(a, b, second);
      case CellLayout.REGISTERED ->
          enums.isValueType(b)
              ? null
              : "the id of a value type of the catalogue in the upper half of the first word";
      case CellLayout.OPTIONAL -> either(range(b, 1, 3), range(a, 0, 1));
      case CellLayout.TEXT -> range(b, 1, TEXT_KINDS);
      case CellLayout.PRIMITIVE_ARRAY -> range(b, 1, SlotKind.DOUBLE.code());
      default -> "a tag of the cell format";
    };
  }

  /** Checks the length of the blob that a cell refers to. */
  static @Nullable String checkLength(long first, int length) {
    return switch (CellLayout.tag(first)) {
      case CellLayout.PRIMITIVE_ARRAY ->
          multiple(length, SlotKind.ofCode(CellLayout.b(first)).width());
      case CellLayout.STRING_UTF16 -> length % 2 == 0 ? null : "an even number of bytes";
      case CellLayout.UUID -> length == 16 ? null : "16 bytes";
      case CellLayout.ZONED_DATE_TIME ->
          length > ZONED_MIN ? null : "more than " + ZONED_MIN + " bytes";
      case CellLayout.BIG_INTEGER_LONG, CellLayout.BIG_DECIMAL_LONG, CellLayout.ZONE_REGION ->
          length > 0 ? null : "1 byte or more";
      default -> null;
    };
  }

  /** Only a Timestamp has nanoseconds in b; its milliseconds are their first three digits. */
  private static @Nullable String date(int kind, int nanos, long milliseconds) {
    if (kind != TIMESTAMP) {
      return either(range(kind, 0, TIMESTAMP), range(nanos, 0, 0));
    }
    return Math.floorMod(milliseconds, 1000L) == nanos / NANOS_OF_MILLISECOND
        ? range(nanos, 0, NANOS_MAX)
        : "nanoseconds that begin with the milliseconds";
  }

  private static @Nullable String multiple(int length, int width) {
    return length % width == 0 ? null : "a multiple of " + width + " bytes";
  }

  private static @Nullable String range(long value, long min, long max) {
    return value >= min && value <= max ? null : "a value from " + min + " to " + max;
  }

  private static @Nullable String either(@Nullable String one, @Nullable String other) {
    return one != null ? one : other;
  }

  /** Byte 1 is the length; the characters follow, then zeros up to the cell's end. */
  private static @Nullable String stringInLine(long first, long second) {
    int length = (int) (first >>> 8) & 0xff;
    if (length > CellLayout.INLINE_MAX) {
      return "a length from 0 to " + CellLayout.INLINE_MAX;
    }
    int inFirst = Math.min(length, 6);
    int inSecond = length - inFirst;
    boolean zeros =
        (inFirst == 6 || first >>> (16 + 8 * inFirst) == 0)
            && (inSecond == 8 || second >>> (8 * inSecond) == 0);
    return zeros ? null : "zeros behind " + length + " characters";
  }

  private static @Nullable String constant(int type, long number, EnumTable enums) {
    int count = enums.constants(type);
    if (count < 0) {
      return "the id of an enum type of the catalogue in the upper half of the first word";
    }
    return range(number, 0, count - 1L);
  }
}
