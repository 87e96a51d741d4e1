package io.pmstore.core.catalogue;

import io.pmstore.StoreDamagedException;

/**
 * How an object stores a property. The codes are part of the format and never change.
 *
 * <p>A slot is aligned to its width, a {@link #CELL} to 8 bytes. Null, zero and false are zeros.
 */
public enum SlotKind {
  /** A {@code boolean}: 0 or 1. */
  BOOLEAN(1, 1),
  /** A {@code byte}. */
  BYTE(2, 1),
  /** A {@code short}. */
  SHORT(3, 2),
  /** A {@code char}. */
  CHAR(4, 2),
  /** An {@code int}. */
  INT(5, 4),
  /** A {@code long}. */
  LONG(6, 8),
  /** A {@code float}, as its bits. */
  FLOAT(7, 4),
  /** A {@code double}, as its bits. */
  DOUBLE(8, 8),
  /** The address of an object, a persistent collection included; 0 is null. */
  REFERENCE(9, 8),
  /** The number of an enum constant in its {@link EnumType}, plus one; 0 is null. */
  ENUM(10, 4),
  /** Any value with its type; see {@link CellLayout}. */
  CELL(11, 16),
  /** A {@code Boolean}; see {@link WordLayout} for this and all other words. */
  BOOLEAN_WORD(12, 8),
  /** A {@code Byte}. */
  BYTE_WORD(13, 8),
  /** A {@code Short}. */
  SHORT_WORD(14, 8),
  /** A {@code Character}. */
  CHARACTER_WORD(15, 8),
  /** An {@code Integer}. */
  INTEGER_WORD(16, 8),
  /** A {@code Long}. */
  LONG_WORD(17, 8),
  /** A {@code Float}. */
  FLOAT_WORD(18, 8),
  /** A {@code BigDecimal}. */
  DECIMAL_WORD(19, 8),
  /** An {@code Instant}. */
  INSTANT_WORD(20, 8),
  /** A {@code Duration}. */
  DURATION_WORD(21, 8),
  /** A {@code LocalDate}. */
  DATE_WORD(22, 8),
  /** A {@code LocalTime}. */
  TIME_WORD(23, 8),
  /** A {@code LocalDateTime}. */
  DATE_TIME_WORD(24, 8);

  private static final SlotKind[] BY_CODE = new SlotKind[25];

  static {
    for (SlotKind kind : values()) {
      BY_CODE[kind.code] = kind;
    }
  }

  private final int code;
  private final int width;

  SlotKind(int code, int width) {
    this.code = code;
    this.width = width;
  }

  /** Returns the kind's code in the catalogue, 1 to 255. */
  public int code() {
    return code;
  }

  /** Returns the size of a slot in bytes. */
  public int width() {
    return width;
  }

  /** Returns true for primitive types, false for references, enums, cells and words. */
  public boolean isPrimitive() {
    return code <= DOUBLE.code;
  }

  /** Returns true for a value of one declared type in one word, which can be null. */
  public boolean isWord() {
    return code > CELL.code;
  }

  /** Returns true for a slot that holds a value as an object: a cell or a word. */
  public boolean isValue() {
    return code >= CELL.code;
  }

  /**
   * Returns the kind with a code.
   *
   * @throws StoreDamagedException if no kind has this code
   */
  public static SlotKind ofCode(int code) {
    if (code < 1 || code >= BY_CODE.length) {
      throw new StoreDamagedException(
          "the catalogue names slot kind "
              + code
              + ", expected 1 to "
              + (BY_CODE.length - 1)
              + "; restore the store from a backup, or open it with the program that wrote it");
    }
    return BY_CODE[code];
  }
}
