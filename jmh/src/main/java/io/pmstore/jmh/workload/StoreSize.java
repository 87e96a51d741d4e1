package io.pmstore.jmh.workload;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.oms.targets.DiskUse;
import java.nio.file.Path;

/** What a closed store takes on the disk. */
public final class StoreSize {
  private StoreSize() {}

  /**
   * Measures it: {@code disk}, all of it; {@code log}, the redo or write-ahead log in it, where
   * that can be told; {@code disk per record}, all but the log.
   *
   * @param context where the figures go to
   * @param deployment the store, closed
   * @param subject what the figures are of
   * @param directory where the store is
   * @param records how many it has
   */
  public static void record(
      StepContext context, Deployment deployment, Subject subject, Path directory, long records) {
    DiskUse use = deployment.kind().target().diskUse(directory);
    context.record(Measurement.of(subject, "disk", "bytes", (double) use.bytes()));
    long log = Math.max(0, use.redoLogBytes());
    if (log > 0) {
      context.record(Measurement.of(subject, "log", "bytes", (double) log));
    }
    context.record(
        Measurement.of(
            subject, "disk per record", "bytes", (use.bytes() - log) / (double) records));
  }
}
