package io.pmstore.jmh.opening;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Opening a store that was killed when its log was full, and reading an object by its root: with
 * its files in the page cache, and after the kernel was told to forget them.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 5)
@Fork(1)
public class RecoveryBenchmark {

  /** The baseline: the log read once, with a checksum. */
  @Benchmark
  public long readLog(KilledStoreState.Warm state) throws IOException {
    return state.readLog();
  }

  /** The same from the disk. */
  @Benchmark
  public long readLogCold(KilledStoreState.Cold state) throws IOException {
    return state.readLog();
  }

  /** Opens, which recovers, and reads. */
  @Benchmark
  public long openAndRead(KilledStoreState.Warm state) {
    return state.openAndRead();
  }

  /** The same from the disk. */
  @Benchmark
  public long openAndReadCold(KilledStoreState.Cold state) {
    return state.openAndRead();
  }
}
