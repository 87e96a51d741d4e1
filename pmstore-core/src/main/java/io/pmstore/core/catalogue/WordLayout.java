package io.pmstore.core.catalogue;

import io.pmstore.core.space.ReferenceMap;

/**
 * A word: 8 bytes that hold a value of the declared type of a property, which its {@link SlotKind}
 * names. A word of zeros is null.
 *
 * <pre>
 *   63                                                          1   0
 *  +---------------------------------------------------------------+---+
 *  | payload, signed                                               | 1 |   a value in line
 *  +---------------------------------------------------------------+---+
 *  | the address of a blob, whose lowest three bits are zeros          |   any other value
 *  +---------------------------------------------------------------+---+
 *
 *   kind             payload                                   blob
 *   BOOLEAN_WORD     0 or 1
 *   BYTE_WORD        the number
 *   SHORT_WORD       the number
 *   CHARACTER_WORD   the character
 *   INTEGER_WORD     the number
 *   LONG_WORD        the number                                the number, 64 bits
 *   FLOAT_WORD       the bits, signed
 *   DECIMAL_WORD     unscaled value * 64 + scale 0 to 63       scale, 32 bits; the unscaled value in
 *                                                              two's complement, big-endian
 *   INSTANT_WORD     nanoseconds since the epoch               seconds, 64 bits; nanoseconds, 32
 *   DURATION_WORD    nanoseconds                               the same
 *   DATE_TIME_WORD   nanoseconds since the epoch, as in UTC    the same
 *   DATE_WORD        days since the epoch
 *   TIME_WORD        nanoseconds since midnight
 * </pre>
 *
 * <p>Numbers in blobs are little-endian but for unscaled values. A value that fits into a word is
 * never in a blob, so equal values have equal words or both have blobs.
 */
public final class WordLayout {
  /** The bits of a payload that hold the scale of a {@code BigDecimal}. */
  public static final int SCALE_BITS = 6;

  /** The largest scale in a word. */
  public static final int SCALE_MAX = (1 << SCALE_BITS) - 1;

  private static final int PAYLOAD_SHIFT = 1;

  private WordLayout() {}

  /** Returns true if a word, not 0, holds its value in line. */
  public static boolean isInline(long word) {
    return (word & ReferenceMap.WORD_INLINE) != 0;
  }

  /** Returns the payload of a word with a value in line. */
  public static long payload(long word) {
    return word >> PAYLOAD_SHIFT;
  }

  /** Returns true if a word has room for a payload. */
  public static boolean fits(long payload) {
    return payload << PAYLOAD_SHIFT >> PAYLOAD_SHIFT == payload;
  }

  /** Returns the word with a payload that {@link #fits}. */
  public static long inline(long payload) {
    return payload << PAYLOAD_SHIFT | ReferenceMap.WORD_INLINE;
  }
}
