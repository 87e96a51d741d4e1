package io.pmstore.jmh.allocation;

import static io.pmstore.jmh.allocation.AllocationBenchmark.OBJECTS;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A durable transaction that makes {@value AllocationBenchmark#OBJECTS} objects of 100 bytes,
 * beside the same transaction without them: what an object costs in a commit is the difference,
 * divided. The store grows by what is made, in a new store for each iteration.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 8, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class AllocationCommitBenchmark {

  /** The baseline: one setter. */
  @Benchmark
  public void withoutObjects(GrowingStoreState state) {
    long n = ++state.count;
    state.store.transaction(() -> state.quote.setBid(n));
  }

  /**
   * What a commit of so many bytes costs when they are there already: a setter of each of the
   * objects' words, in objects made before.
   */
  @Benchmark
  public void withOldObjects(OldObjectsState state) {
    long n = ++state.count;
    state.store.transaction(
        () -> {
          state.quote.setBid(n);
          for (Trade trade : state.trades) {
            AllocationBenchmark.fill(trade, n);
          }
        });
  }

  /** The heap, by address. */
  @Benchmark
  public void withObjectsOfHeap(GrowingStoreState state) {
    long n = ++state.count;
    state.store.transaction(
        () -> {
          state.quote.setBid(n);
          for (int i = 0; i < OBJECTS; i++) {
            AllocationBenchmark.allocate(state.heap, n);
          }
        });
  }

  /** Objects of an interface, with their setters. */
  @Benchmark
  public void withObjectsOfInterface(GrowingStoreState state) {
    long n = ++state.count;
    state.store.transaction(
        () -> {
          state.quote.setBid(n);
          for (int i = 0; i < OBJECTS; i++) {
            AllocationBenchmark.fill(state.store.create(Trade.class), n);
          }
        });
  }

  /** Objects of a class, with their setters. */
  @Benchmark
  public void withObjectsOfClass(GrowingStoreState state) {
    long n = ++state.count;
    state.store.transaction(
        () -> {
          state.quote.setBid(n);
          for (int i = 0; i < OBJECTS; i++) {
            AllocationBenchmark.fill(state.store.create(TradeBean.class), n);
          }
        });
  }
}
