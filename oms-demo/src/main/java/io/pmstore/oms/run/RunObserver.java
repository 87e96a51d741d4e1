package io.pmstore.oms.run;

import java.util.concurrent.atomic.LongAdder;

/** Is told where a target's part of the comparison is; called by the thread that runs it. */
public interface RunObserver {
  /** Looks at nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * The store is open, and the first report is about to be applied.
   *
   * @param done counts the reports as they are acknowledged
   */
  default void opened(LongAdder done) {}

  /** All reports have been acknowledged, and the store is closed. */
  default void closed() {}
}
