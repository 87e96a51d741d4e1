package io.pmstore.oms.domain;

/** The type of an order: FIX field 40. */
public enum OrderType {
  /** At any price. */
  MARKET('1'),
  /** At the limit price or better. */
  LIMIT('2');

  private final char code;

  OrderType(char code) {
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
  public static OrderType ofCode(char code) {
    for (OrderType value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("OrdType(40) '" + code + "' is not supported");
  }
}
