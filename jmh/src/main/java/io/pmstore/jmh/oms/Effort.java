package io.pmstore.jmh.oms;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.workload.TimedRun;
import java.time.Duration;

/**
 * How much work is put into a figure.
 *
 * @param warmUp how long each target is warmed up, at least, as {@link
 *     io.pmstore.jmh.workload.WarmUp} says
 * @param warmUpReports how many reports the flow of the warm-up has; it is repeated
 * @param run how long a run should take; how many reports that are is calibrated
 * @param reportsMax more reports a run never has: the flow is kept in memory
 * @param repetitions how often a run is repeated, each time in a new store
 * @param slices into how many samples of its throughput a run's time is divided
 * @param foundOrders how many orders a store has of which some are looked up
 * @param barrierLogBytes the size of the log of the bare barrier
 */
record Effort(
    Duration warmUp,
    int warmUpReports,
    Duration run,
    int reportsMax,
    int repetitions,
    int slices,
    int foundOrders,
    int barrierLogBytes) {

  /** How calls are timed that need no flow: as long as all repetitions, in as many slices. */
  TimedRun calls() {
    return new TimedRun(run.multipliedBy(repetitions), slices * repetitions);
  }

  static Effort of(Scale scale) {
    return switch (scale) {
      case SMOKE ->
          new Effort(Duration.ofMillis(10), 70, Duration.ofMillis(20), 700, 1, 1, 50, 1 << 20);
      case QUICK ->
          new Effort(
              Duration.ofSeconds(1),
              35_000,
              Duration.ofMillis(1_200),
              200_000,
              1,
              5,
              20_000,
              128 << 20);
      case FULL ->
          new Effort(
              Duration.ofSeconds(3),
              70_000,
              Duration.ofSeconds(5),
              700_000,
              3,
              5,
              100_000,
              128 << 20);
    };
  }
}
