package io.pmstore.oms.domain;

/** The status of an order: FIX field 39. */
public enum OrderStatus {
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
  public static OrderStatus ofCode(char code) {
    for (OrderStatus value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new IllegalArgumentException("OrdStatus(39) '" + code + "' is not supported");
  }
}
