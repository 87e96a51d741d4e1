package io.pmstore.jmh.suite;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import java.io.IOException;
import java.nio.file.Path;

/** What a step works with. Its directories are new ones and are deleted when the step ends. */
public interface StepContext {
  /** Returns the seed of everything random, the same for all steps of a run. */
  long seed();

  /**
   * A new, empty directory on a medium.
   *
   * @param medium {@code file} or {@code pmem}
   */
  Path directory(String medium) throws IOException;

  /** Keeps a figure. */
  void record(Measurement measurement);

  /** Keeps a distribution. */
  void record(LatencyCurve latencies);

  /**
   * Records that this machine cannot run the step, and why; the report shows it.
   *
   * @param reason what is missing
   */
  void omit(String reason);
}
