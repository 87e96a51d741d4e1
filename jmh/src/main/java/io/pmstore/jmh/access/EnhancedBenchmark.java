package io.pmstore.jmh.access;

import static io.pmstore.jmh.access.Access.ACCESSES;

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
 * Reading and writing one {@code long} of one class as it is, with a generated subclass beside it,
 * and enhanced. The loops are the same, so the first form is the baseline of the other.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {"-XX:+EnableDynamicAgentLoading", "-Djdk.attach.allowAttachSelf=true"})
@OperationsPerInvocation(ACCESSES)
public class EnhancedBenchmark {

  private static void read(EnhancedQuote[] quotes, int mask, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(quotes[i & mask].getBid());
    }
  }

  private static void write(EnhancedQuote[] quotes, int mask, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      quotes[i & mask].setBid(i);
      blackhole.consume(i); // keeps the stores apart
    }
  }

  /** The getter of a plain object: of the class as it is, which is the baseline, or enhanced. */
  @Benchmark
  public void plainGetter(EnhancedState state, Blackhole blackhole) {
    read(state.quotes.plain, state.mask, blackhole);
  }

  /** The setter of a plain object. */
  @Benchmark
  public void plainSetter(EnhancedState state, Blackhole blackhole) {
    write(state.quotes.plain, state.mask, blackhole);
  }

  /** The getter of a persistent object, outside a transaction. */
  @Benchmark
  public void getterOutside(EnhancedState state, Blackhole blackhole) {
    read(state.quotes.persistent, state.mask, blackhole);
  }

  /** The getter of a persistent object, inside a transaction. */
  @Benchmark
  public void getterInside(EnhancedState state, Blackhole blackhole) {
    state.store.transaction(() -> read(state.quotes.persistent, state.mask, blackhole));
  }
}
