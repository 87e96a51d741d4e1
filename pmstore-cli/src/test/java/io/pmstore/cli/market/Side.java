package io.pmstore.cli.market;

/** A side of an order. */
public enum Side {
  BUY,
  SELL
}
