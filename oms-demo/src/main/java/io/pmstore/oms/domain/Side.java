package io.pmstore.oms.domain;

/** The side of an order: FIX field 54. */
public enum Side {
  BUY('1'),
  SELL('2'),
  /** Sells what the account does not hold. */
  SELL_SHORT('5');

  private final char code;

  Side(char code) {
    this.code = code;
  }

  /** The value of the FIX field. */
  public char code() {
    return code;
  }

  /**
   * Finds the constant of a FIX code.
   *
   * @param code the value of the FIX field
   * @throws IllegalArgumentException if the order management system does not use the code
   */
  public static Side ofCode(char code) {
    for (Side value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("Side(54) '" + code + "' is not supported");
  }
}
