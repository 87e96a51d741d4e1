package io.pmstore.core.catalogue;

import io.pmstore.core.space.ReferenceMap;

/**
 * A cell: 16 bytes that hold any value with its type. A cell of zeros is null.
 *
 * <pre>
 *   0     1              4                  8                               16
 *  +-----+--------------+------------------+--------------------------------+
 *  | tag | a (24 bits)  | b (32 bits)      | c (64 bits)                    |   little-endian, signed
 *  +-----+--------------+------------------+--------------------------------+
 *  | tag | n | n characters of a string, one byte each, n = 0 to 14         |   strings in line
 *  +-----+---+--------------------------------------------------------------+
 * </pre>
 *
 * <p>Unused parts are zero, so equal values without an out-of-line part have equal cells. {@link
 * #ADDRESS}, the highest bit of the tag, marks c as the address of an object or a blob; a collector
 * needs to know no more.
 */
public final class CellLayout {
  /** The size of a cell, in bytes. */
  public static final int SIZE = 16;

  /** The offset of c in a cell, in bytes. */
  public static final int C_OFFSET = 8;

  /** The bit of a tag that marks c as an address. */
  public static final int ADDRESS = ReferenceMap.CELL_ADDRESS;

  public static final int NULL = 0;

  /** A {@code Boolean}: c is 0 or 1. */
  public static final int BOOLEAN = 1;

  /** A {@code Byte}: c. */
  public static final int BYTE = 2;

  /** A {@code Short}: c. */
  public static final int SHORT = 3;

  /** A {@code Character}: c. */
  public static final int CHARACTER = 4;

  /** An {@code Integer}: c. */
  public static final int INTEGER = 5;

  /** A {@code Long}: c. */
  public static final int LONG = 6;

  /** A {@code Float}: its bits in c. */
  public static final int FLOAT = 7;

  /** A {@code Double}: its bits in c. */
  public static final int DOUBLE = 8;

  /** A string of at most {@link #INLINE_MAX} characters, all Latin-1, in line. */
  public static final int STRING = 9;

  /** A string whose characters are all Latin-1: c is a blob of a byte each. */
  public static final int STRING_LATIN1 = ADDRESS | 10;

  /** Any string: c is a blob of two bytes a {@code char}, little-endian. */
  public static final int STRING_UTF16 = ADDRESS | 11;

  /** A {@code BigInteger} that is a {@code long}: c. */
  public static final int BIG_INTEGER = 12;

  /** Any {@code BigInteger}: c is a blob, two's complement, big-endian. */
  public static final int BIG_INTEGER_LONG = ADDRESS | 13;

  /** A {@code BigDecimal} whose unscaled value is a {@code long}: c; b is the scale. */
  public static final int BIG_DECIMAL = 14;

  /**
   * Any {@code BigDecimal}: c is a blob, the unscaled value in two's complement, big-endian; b is
   * the scale.
   */
  public static final int BIG_DECIMAL_LONG = ADDRESS | 15;

  /** A constant of an enum: b is the id of the {@link EnumType}, c the constant's number. */
  public static final int ENUM = 16;

  /** A {@code UUID}: c is a blob of its 16 bytes, most significant first. */
  public static final int UUID = ADDRESS | 17;

  /** An {@code Instant}: c is seconds since the epoch, b nanoseconds. */
  public static final int INSTANT = 20;

  /** A {@code Duration}: c is seconds, b nanoseconds. */
  public static final int DURATION = 21;

  /** A {@code LocalDate}: c is days since the epoch. */
  public static final int LOCAL_DATE = 22;

  /** A {@code LocalTime}: c is nanoseconds since midnight. */
  public static final int LOCAL_TIME = 23;

  /** A {@code LocalDateTime}: c is seconds since the epoch as if in UTC, b nanoseconds. */
  public static final int LOCAL_DATE_TIME = 24;

  /**
   * An {@code OffsetDateTime}: c and b as for {@link #LOCAL_DATE_TIME}, a is the offset in seconds.
   */
  public static final int OFFSET_DATE_TIME = 25;

  /** An {@code OffsetTime}: c is nanoseconds since midnight, b the offset in seconds. */
  public static final int OFFSET_TIME = 26;

  /**
   * A {@code ZonedDateTime}: c is a blob of seconds (64 bits) and nanoseconds (32) as for {@link
   * #LOCAL_DATE_TIME}, the offset in seconds (32), all little-endian, and the name of the zone in
   * ASCII.
   */
  public static final int ZONED_DATE_TIME = ADDRESS | 27;

  /** A {@code ZoneOffset}: c is seconds. */
  public static final int ZONE_OFFSET = 28;

  /** A {@code ZoneId} that is no offset: c is a blob of its name in ASCII. */
  public static final int ZONE_REGION = ADDRESS | 29;

  /** A {@code Year}: c. */
  public static final int YEAR = 30;

  /** A {@code YearMonth}: c is months since year 0. */
  public static final int YEAR_MONTH = 31;

  /** A {@code MonthDay}: b is the month, 1 to 12, c the day. */
  public static final int MONTH_DAY = 32;

  /** A {@code Period}: b is years, the low half of c months, the high half days. */
  public static final int PERIOD = 33;

  /**
   * A date whose c is milliseconds since the epoch: a is 0 for {@code java.util.Date}, 1 for {@code
   * java.sql.Date}, 2 for {@code java.sql.Time}, 3 for {@code java.sql.Timestamp}, whose b is the
   * nanoseconds of its second.
   */
  public static final int DATE = 34;

  /**
   * A value that is a text: c is a blob of it in UTF-8, b says of what: 1 a {@code java.net.URI}, 2
   * a {@code Locale} as a language tag, 3 a {@code Currency} as its code, 4 another {@code Locale},
   * 5 a {@code URL}, 6 a {@code File}, 7 a {@code Path}, 8 a {@code Pattern} whose flags are a, 9 a
   * {@code Charset}, 10 an {@code InetAddress}, 11 an {@code InetSocketAddress}, 12 a {@code
   * Proxy}, 13 a {@code TimeZone}, 14 a {@code Calendar}.
   */
  public static final int TEXT = ADDRESS | 35;

  /**
   * An array of a primitive type: b is the code of the {@link SlotKind} of its elements, c a blob
   * of them, little-endian.
   */
  public static final int PRIMITIVE_ARRAY = ADDRESS | 36;

  /** A {@code Class}: c is a blob of its binary name in UTF-8. */
  public static final int CLASS = ADDRESS | 37;

  /**
   * An {@code OptionalInt}, {@code OptionalLong} or {@code OptionalDouble}: b is 1, 2 or 3; a is 1
   * and c the number, or both are 0.
   */
  public static final int OPTIONAL = 38;

  /** A value of a {@link ValueType}: b is the type's id, c is a blob of what its codec made. */
  public static final int REGISTERED = ADDRESS | 39;

  /**
   * A record, an {@code Optional} or an array of references: c is the address of an immutable
   * object whose shape has the name of its class.
   */
  public static final int EMBEDDED = ADDRESS | 62;

  /** An object of the heap, a persistent collection included: c is its address. */
  public static final int OBJECT = ADDRESS | 63;

  /** The longest string kept in line, in characters. */
  public static final int INLINE_MAX = 14;

  private CellLayout() {}

  /**
   * Returns the first word of a cell.
   *
   * @param tag 0 to 255
   * @param a 24 bits, signed
   * @param b 32 bits
   */
  public static long first(int tag, int a, int b) {
    return (tag & 0xffL) | (a & 0xff_ffffL) << 8 | (long) b << 32;
  }

  /** Returns the tag, 0 to 255, in the first word of a cell. */
  public static int tag(long first) {
    return (int) first & 0xff;
  }

  /** Returns part a, signed, from the first word of a cell. */
  public static int a(long first) {
    return (int) first >> 8;
  }

  /** Returns part b from the first word of a cell. */
  public static int b(long first) {
    return (int) (first >>> 32);
  }

  /**
   * Returns true if the second word of a cell is the address of an object or a blob.
   *
   * @param first the first word of the cell
   */
  public static boolean holdsAddress(long first) {
    return (first & ADDRESS) != 0;
  }
}
