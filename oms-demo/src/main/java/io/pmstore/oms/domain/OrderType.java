package io.pmstore.oms.domain;

/** The type of an order: FIX field 40. */
public enum OrderType implements FixCode {
  /** At any price. */
  MARKET('1'),
  /** At the limit price or better. */
  LIMIT('2');

  private final char code;

  OrderType(char code) {
    this.code = code;
  }

  @Override
  public char code() {
    return code;
  }

  /** Returns the constant of a value of the FIX field, like {@link FixCode#find}. */
  public static OrderType ofCode(char code) {
    return FixCode.find(values(), code, "OrdType(40)");
  }
}
