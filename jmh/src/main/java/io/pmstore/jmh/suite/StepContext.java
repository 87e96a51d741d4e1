package io.pmstore.jmh.suite;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import java.io.IOException;
import java.nio.file.Path;

/** What a step works with. Its directories are new ones and are deleted when the step ends. */
public interface StepContext {
  /**
   * How much is measured.
   *
   * @return the scale
   */
  Scale scale();

  /**
   * What everything random comes from.
   *
   * @return the seed, the same for all steps of a run
   */
  long seed();

  /**
   * A new, empty directory on a medium.
   *
   * @param medium {@code file} or {@code pmem}
   * @return the directory
   * @throws IOException if it cannot be made
   */
  Path directory(String medium) throws IOException;

  /**
   * Keeps a figure.
   *
   * @param measurement the figure
   */
  void record(Measurement measurement);

  /**
   * Keeps a distribution.
   *
   * @param latencies the distribution
   */
  void record(LatencyCurve latencies);

  /**
   * Says that the step cannot be done on this machine, and why; the report shows it.
   *
   * @param reason what is missing
   */
  void omit(String reason);
}
