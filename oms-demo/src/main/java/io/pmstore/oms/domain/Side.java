package io.pmstore.oms.domain;

/** The side of an order: FIX field 54. */
public enum Side implements FixCode {
  BUY('1'),
  SELL('2'),
  /** Sells what the account does not hold. */
  SELL_SHORT('5');

  private final char code;

  Side(char code) {
    this.code = code;
  }

  @Override
  public char code() {
    return code;
  }

  /** Returns the constant of a value of the FIX field, like {@link FixCode#find}. */
  public static Side ofCode(char code) {
    return FixCode.find(values(), code, "Side(54)");
  }
}
