package io.pmstore.gc.verify;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.WordLayout;
import java.time.LocalDate;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * The rules for words of each kind; see {@link WordLayout}. Each method returns what was expected,
 * or null if the word is valid.
 */
final class WordRules {
  private static final int LOW_BITS = 7;
  private static final int SECONDS_AND_NANOS = Long.BYTES + Integer.BYTES;

  private WordRules() {}

  /** Checks a word that is not 0: its value in line, or the form of its address. */
  static @Nullable String check(SlotKind kind, long word) {
    if (!WordLayout.isInline(word)) {
      return (word & LOW_BITS) != 0
          ? "an address, a multiple of 8"
          : checkLength(kind, 0) == null ? "a value in line" : null;
    }
    long payload = WordLayout.payload(word);
    return switch (kind) {
      case BOOLEAN_WORD -> range(payload, 0, 1);
      case BYTE_WORD -> range(payload, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SHORT_WORD -> range(payload, Short.MIN_VALUE, Short.MAX_VALUE);
      case CHARACTER_WORD -> range(payload, Character.MIN_VALUE, Character.MAX_VALUE);
      case INTEGER_WORD, FLOAT_WORD -> range(payload, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case DATE_WORD -> range(payload, LocalDate.MIN.toEpochDay(), LocalDate.MAX.toEpochDay());
      case TIME_WORD -> range(payload, 0, LocalTime.MAX.toNanoOfDay());
      default -> null;
    };
  }

  /**
   * Checks the length of the blob that a word refers to. Returns null for kinds without blobs, too.
   */
  static @Nullable String checkLength(SlotKind kind, int length) {
    return switch (kind) {
      case LONG_WORD -> length == Long.BYTES ? null : Long.BYTES + " bytes";
      case INSTANT_WORD, DURATION_WORD, DATE_TIME_WORD ->
          length == SECONDS_AND_NANOS ? null : SECONDS_AND_NANOS + " bytes";
      case DECIMAL_WORD -> length > Integer.BYTES ? null : "more than " + Integer.BYTES + " bytes";
      default -> null;
    };
  }

  private static @Nullable String range(long value, long min, long max) {
    return value >= min && value <= max ? null : "a value in line from " + min + " to " + max;
  }
}
