package io.pmstore.cli.market;

/** An enum that implements an interface. */
public enum Grade implements Named {
  GOOD,
  BAD
}
