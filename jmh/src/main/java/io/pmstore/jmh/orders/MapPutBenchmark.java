package io.pmstore.jmh.orders;

import io.pmstore.jmh.support.Rollback;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Putting a value under a key, at random among all, in a map of numbers. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class MapPutBenchmark {
  private static final int PUTS = 64;

  /** The baseline: a {@link java.util.HashMap}. */
  @Benchmark
  @OperationsPerInvocation(PUTS)
  public void plain(PlainBookState state) {
    put(state.numbers, 0, state.bookSize);
  }

  /** A durable transaction for each. */
  @Benchmark
  public @Nullable Long transactionEach(BookState state) {
    Map<Long, Long> numbers = state.book.getNumbers();
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return state.store.transaction(
        () -> numbers.put((long) random.nextInt(state.bookSize), random.nextLong()));
  }

  /** Many in a durable transaction: keys that are there. */
  @Benchmark
  @OperationsPerInvocation(PUTS)
  public void oldKeys(BookState state) {
    Map<Long, Long> numbers = state.book.getNumbers();
    state.store.transaction(() -> put(numbers, 0, state.bookSize));
  }

  /** Many in a transaction that is rolled back, so that the map stays as it is: new keys. */
  @Benchmark
  @OperationsPerInvocation(PUTS)
  public void newKeys(BookState state) {
    Map<Long, Long> numbers = state.book.getNumbers();
    Rollback.after(
        state.heap, () -> put(numbers, state.bookSize, Integer.MAX_VALUE - state.bookSize));
  }

  private static void put(Map<Long, Long> numbers, long first, int size) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < PUTS; i++) {
      numbers.put(first + random.nextInt(size), random.nextLong());
    }
  }
}
