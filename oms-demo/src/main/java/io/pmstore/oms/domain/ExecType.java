package io.pmstore.oms.domain;

/** What an execution report tells: FIX field 150. */
public enum ExecType implements FixCode {
  /** The order was received. */
  PENDING_NEW('A'),
  /** The exchange confirmed the order. */
  NEW('0'),
  /** A part of the order, or all that was left, was executed. */
  TRADE('F'),
  /** A change was requested. */
  PENDING_REPLACE('E'),
  /** The order was changed. */
  REPLACED('5'),
  /** The exchange repeats the state of the order. */
  RESTATED('D'),
  /** A cancellation was requested. */
  PENDING_CANCEL('6'),
  /** The order was cancelled. */
  CANCELED('4'),
  /** The order was refused. */
  REJECTED('8'),
  /** The order's time ran out. */
  EXPIRED('C');

  private final char code;

  ExecType(char code) {
    this.code = code;
  }

  @Override
  public char code() {
    return code;
  }

  /** Returns the constant of a value of the FIX field, like {@link FixCode#find}. */
  public static ExecType ofCode(char code) {
    return FixCode.find(values(), code, "ExecType(150)");
  }
}
