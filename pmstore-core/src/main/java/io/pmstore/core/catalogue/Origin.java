package io.pmstore.core.catalogue;

import io.pmstore.StoreDamagedException;

/**
 * The source of a property's value in an object that still has the preceding shape.
 *
 * @param kind where the value comes from
 * @param index for {@link Kind#STORED} the index of the predecessor's property; otherwise 0
 */
public record Origin(Kind kind, int index) {
  /** The property is new and has its initial value. */
  public static final Origin INITIAL = new Origin(Kind.INITIAL, 0);

  /** A migration function makes the value. */
  public static final Origin FUNCTION = new Origin(Kind.FUNCTION, 0);

  /** The kinds of sources. The codes are part of the format and never change. */
  public enum Kind {
    /** The value of a property of the predecessor, converted without loss. */
    STORED(1),
    /** The initial value of a new property. */
    INITIAL(2),
    /** The result of a migration function. */
    FUNCTION(3);

    private static final Kind[] BY_CODE = {STORED, INITIAL, FUNCTION};

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }

    static Kind ofCode(int code) {
      if (code < 1 || code > BY_CODE.length) {
        throw new StoreDamagedException(
            "the catalogue names origin "
                + code
                + ", expected 1 to "
                + BY_CODE.length
                + "; restore the store from a backup, or open it with the program that wrote it");
      }
      return BY_CODE[code - 1];
    }
  }

  /**
   * Returns the origin of a property that takes the value of the predecessor's property with this
   * index.
   */
  public static Origin stored(int index) {
    return new Origin(Kind.STORED, index);
  }
}
