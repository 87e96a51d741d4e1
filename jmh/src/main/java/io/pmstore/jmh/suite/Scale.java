package io.pmstore.jmh.suite;

/** How much is measured. */
public enum Scale {
  /** Every step for a moment, with the least of data: shows that it works, measures nothing. */
  SMOKE,
  /** All suites together in about twenty minutes. */
  QUICK,
  /** Every combination, with repetitions. */
  FULL
}
