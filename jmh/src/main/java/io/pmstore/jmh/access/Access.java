package io.pmstore.jmh.access;

/** The constants that the rungs share. */
final class Access {
  /**
   * The accesses of one invocation, which are in one transaction where there is one: so many that
   * its beginning and end count for less than a nanosecond each.
   */
  static final int ACCESSES = 1024;

  /** Accesses to one object, the usual case inside a transaction: what is found first is cached. */
  static final String ONE = "1";

  /** Accesses to one object after the other. */
  static final String MANY = "64";

  private Access() {}
}
