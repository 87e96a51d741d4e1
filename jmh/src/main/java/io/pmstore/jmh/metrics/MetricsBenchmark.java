package io.pmstore.jmh.metrics;

import static io.pmstore.jmh.metrics.CountedState.COUNTERS;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What {@code store.metrics()} and Flight Recorder's events add to a transaction: the whole
 * transaction, which includes it, and it alone. Target: at most 1 % of the shortest transaction.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MetricsBenchmark {

  /** The baseline: a relaxed transaction of one setter. */
  @Benchmark
  public void wholeTransaction(CountedState state) {
    state.transaction();
  }

  /** What that transaction counts, call by call. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long counting(CountedState state) {
    return state.counting();
  }

  /**
   * The transaction, and then 16 times more what it counts. A sixteenth of the difference to {@link
   * #wholeTransaction} is what counting takes between other work.
   */
  @Benchmark
  public long wholeTransactionCounted16TimesMore(CountedState state) {
    state.transaction();
    return state.counting();
  }

  /** The transaction, while a recording with the settings of the documents runs. */
  @Benchmark
  public void wholeTransactionRecorded(CountedState.Recorded state) {
    state.transaction();
  }

  /** What it counts and records meanwhile: the events of the transactions that are timed. */
  @Benchmark
  @OperationsPerInvocation(COUNTERS)
  public long countingRecorded(CountedState.Recorded state) {
    return state.counting();
  }
}
