package io.pmstore.jmh.suite;

import java.time.Duration;

/**
 * A part of a suite that has a JVM of its own, so that it neither profits nor suffers from what ran
 * before it.
 */
public interface Step {
  /**
   * Its name, different from any other's of all suites: for example {@code oms/ratio
   * 6/pmstore/pmem/sync/1}.
   */
  String name();

  /**
   * How long it is expected to take, the start of its JVM included; for the time left that is
   * shown.
   */
  Duration estimate();

  /**
   * Returns true if PMDK must treat any file in the step's JVM as persistent memory. It must not
   * where an ordinary file is measured: PMDK would sync nothing there.
   *
   * @return true unless the step uses PMDK on an ordinary file
   */
  default boolean forcesPersistentMemory() {
    return true;
  }

  /**
   * Measures.
   *
   * @param context where to, and what for
   * @throws Exception if it cannot; the step is then told as failed, and the run goes on
   */
  void run(StepContext context) throws Exception;
}
