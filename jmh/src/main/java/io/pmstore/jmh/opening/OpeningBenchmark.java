package io.pmstore.jmh.opening;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Opening a store that was closed, and reading an object by its root. The baseline is the empty
 * store. The program's classes are known to the JVM from the making of the store, and the files
 * that opening reads are in the page cache.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 10)
@Fork(1)
public class OpeningBenchmark {

  /** The same by a program in which the class of the objects has a property more. */
  @Benchmark
  public Object openAndReadEvolved(ClosedStoreState state) {
    return state.openAndReadEvolved();
  }

  @Benchmark
  public long openAndRead(ClosedStoreState state) {
    return state.openAndRead();
  }
}
