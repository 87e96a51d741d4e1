package io.pmstore.jmh.oms;

import io.pmstore.jmh.commit.FileLog;
import io.pmstore.jmh.commit.PmemLog;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.oms.targets.NativeLibraries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

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
    return OmsCase.name("any ratio", "barrier", medium, OmsCase.SYNC, threads);
  }

  @Override
  public Duration estimate() {
    return Duration.ofMillis(1_500)
        .plus(effort.warmUp())
        .plus(effort.run().multipliedBy(effort.repetitions()));
  }

  @Override
  public void run(StepContext context) throws Exception {
    TimedCalls calls = new TimedCalls(effort, threads);
    Path directory = context.directory(medium);
    if (medium.equals(OmsCase.FILE)) {
      onFile(calls, directory);
    } else {
      String missing = NativeLibraries.missingForLlpl();
      if (missing != null) {
        context.omit(missing);
        return;
      }
      onPmem(calls, directory);
    }
    for (int ratio : ratios) {
      calls.record(
          context,
          new Subject(
              OmsCase.SUITE, OmsCase.workload(ratio), "barrier", medium, OmsCase.SYNC, threads, 0),
          "reports/s");
    }
  }

  private void onFile(TimedCalls calls, Path directory) throws IOException, InterruptedException {
    ThreadLocal<ByteBuffer> records =
        ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(RECORD));
    try (FileLog log = new FileLog(directory.resolve("log"), effort.barrierLogBytes())) {
      calls.run(
          () -> {
            try {
              log.append(records.get().clear());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private void onPmem(TimedCalls calls, Path directory) throws IOException, InterruptedException {
    ThreadLocal<byte[]> records = ThreadLocal.withInitial(() -> new byte[RECORD]);
    try (PmemLog log = new PmemLog(directory, effort.barrierLogBytes())) {
      calls.run(() -> log.append(records.get()));
    }
  }
}
