package io.pmstore.oms.domain;

/** The status of an order: FIX field 39. */
public enum OrderStatus implements FixCode {
  /** Received, not yet confirmed by the exchange. */
  PENDING_NEW('A'),
  /** Confirmed, nothing executed. */
  NEW('0'),
  /** Executed in part. */
  PARTIALLY_FILLED('1'),
  /** Executed completely. */
  FILLED('2'),
  /** A change was requested. */
  PENDING_REPLACE('E'),
  /** A cancellation was requested. */
  PENDING_CANCEL('6'),
  /** Cancelled; nothing is left. */
  CANCELED('4'),
  /** Refused by the exchange; nothing is left. */
  REJECTED('8'),
  /** Its time ran out; nothing is left. */
  EXPIRED('C');

  private final char code;

  OrderStatus(char code) {
    this.code = code;
  }

  @Override
  public char code() {
    return code;
  }

  /** Returns the constant of a value of the FIX field, like {@link FixCode#find}. */
  public static OrderStatus ofCode(char code) {
    return FixCode.find(values(), code, "OrdStatus(39)");
  }
}
