package io.pmstore.jmh.evolution;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reading one {@code long} of an object of today's shape, the baseline, and of one of an older
 * shape: a property that was a {@code long} then too, one that was an {@code int}, and one that is
 * new.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(EvolvedState.OBJECTS)
public class EvolvedGetterBenchmark {

  /** A property that was there. */
  @Benchmark
  public void kept(EvolvedState state, Blackhole blackhole) {
    for (EvolvingQuote quote : state.quotes) {
      blackhole.consume(quote.getBid());
    }
  }

  /** A property that was narrower. */
  @Benchmark
  public void widened(EvolvedState state, Blackhole blackhole) {
    for (EvolvingQuote quote : state.quotes) {
      blackhole.consume(quote.getSize());
    }
  }

  /** A property that was not there. */
  @Benchmark
  public void added(EvolvedState state, Blackhole blackhole) {
    for (EvolvingQuote quote : state.quotes) {
      blackhole.consume(quote.getAsk());
    }
  }

  /** A property that was there, inside a transaction. */
  @Benchmark
  public void keptInside(EvolvedState state, Blackhole blackhole) {
    state.store.transaction(() -> kept(state, blackhole));
  }
}
