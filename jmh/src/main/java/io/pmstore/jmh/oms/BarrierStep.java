package io.pmstore.jmh.oms;

import io.pmstore.jmh.commit.FileLog;
import io.pmstore.jmh.commit.PmemLog;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.RunFigures;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.jmh.workload.Worker;
import io.pmstore.oms.targets.NativeLibraries;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The bare limit: for each report 128 bytes are appended to a log and made durable, by pwrite and
 * fdatasync, or by the write-back of their cache lines and a fence; each thread for itself. It is
 * the same for every ratio, so its figures are recorded with each.
 */
final class BarrierStep implements Step {
  private static final int RECORD = 128;

  private final List<Integer> ratios;
  private final String medium;
  private final int threads;
  private final Effort effort;

  BarrierStep(List<Integer> ratios, String medium, int threads, Scale scale) {
    this.ratios = List.copyOf(ratios);
    this.medium = medium;
    this.threads = threads;
    this.effort = Effort.of(scale);
  }

  @Override
  public String name() {
    return OmsCase.name("any ratio", "barrier", medium, Subject.SYNC, threads);
  }

  @Override
  public Duration estimate() {
    return Duration.ofMillis(1_500)
        .plus(WarmUp.usual(effort.warmUp()))
        .plus(effort.run().multipliedBy(effort.repetitions()));
  }

  @Override
  public void run(StepContext context) throws Exception {
    Path directory = context.directory(medium);
    RunFigures figures;
    if (medium.equals(Subject.FILE)) {
      try (FileLog log = new FileLog(directory.resolve("log"), effort.barrierLogBytes())) {
        figures =
            measure(
                () -> {
                  ByteBuffer record = ByteBuffer.allocateDirect(RECORD);
                  return () -> log.append(record.clear());
                });
      }
    } else {
      String missing = NativeLibraries.missingForPersistentMemory();
      if (missing != null) {
        context.omit(missing);
        return;
      }
      try (PmemLog log = new PmemLog(directory, effort.barrierLogBytes())) {
        figures =
            measure(
                () -> {
                  byte[] record = new byte[RECORD];
                  return () -> log.append(record);
                });
      }
    }
    for (int ratio : ratios) {
      figures.record(
          context,
          new Subject(
              OmsCase.SUITE, OmsCase.workload(ratio), "barrier", medium, Subject.SYNC, threads, 0),
          "reports/s");
    }
  }

  /** Runs the appends of as many threads. */
  private RunFigures measure(Supplier<Append> newAppend) throws InterruptedException {
    return effort
        .calls()
        .runWarm(
            effort.warmUp(), Stream.generate(newAppend).limit(threads).toList(), List.of("append"));
  }

  /** What one thread does. */
  @FunctionalInterface
  private interface Append extends Worker {
    @Override
    default int prepare() {
      return 0;
    }
  }
}
