package io.pmstore.jmh.allocation;

import com.intel.pmem.llpl.TransactionalMemoryBlock;
import io.pmstore.core.heap.Heap;
import io.pmstore.jmh.support.Rollback;
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
 * A new object of 100 bytes, every field set, inside a transaction that makes {@value #OBJECTS} of
 * them and is rolled back, so that neither a commit is in the figures nor the store grows.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(AllocationBenchmark.OBJECTS)
public class AllocationBenchmark {
  static final int OBJECTS = 64;

  /** A shape that no catalogue has: commits look for no references in such objects. */
  private static final int RAW = Integer.MAX_VALUE;

  private static final int SIZE = 100;
  private static final int LONGS = 11;

  /** The baseline: an object of Java's heap. */
  @Benchmark
  public void plainObject(Blackhole blackhole) {
    for (long n = 0; n < OBJECTS; n++) {
      Trade trade = new TradeBean();
      fill(trade, n);
      blackhole.consume(trade);
    }
  }

  /** The heap, by address. */
  @Benchmark
  public void heap(StoreState state) {
    Heap heap = state.heap;
    Rollback.after(
        heap,
        () -> {
          for (long n = 0; n < OBJECTS; n++) {
            allocate(heap, n);
          }
        });
  }

  /** An object of a class, with its setters. */
  @Benchmark
  public void ofClass(StoreState state) {
    Rollback.after(
        state.heap,
        () -> {
          for (long n = 0; n < OBJECTS; n++) {
            fill(state.store.create(TradeBean.class), n);
          }
        });
  }

  /** An object of an interface, with its setters. */
  @Benchmark
  public void ofInterface(StoreState state) {
    Rollback.after(
        state.heap,
        () -> {
          for (long n = 0; n < OBJECTS; n++) {
            fill(state.store.create(Trade.class), n);
          }
        });
  }

  /** A plain object with its setters, converted. */
  @Benchmark
  public void converted(StoreState state) {
    Rollback.after(
        state.heap,
        () -> {
          for (long n = 0; n < OBJECTS; n++) {
            Trade trade = new TradeBean();
            fill(trade, n);
            state.store.persist(trade);
          }
        });
  }

  /** A block of LLPL. */
  @Benchmark
  public void llpl(LlplState state) {
    Rollback.after(
        state.pool,
        () -> {
          for (long n = 0; n < OBJECTS; n++) {
            TransactionalMemoryBlock block = state.pool.allocateMemoryBlock(SIZE);
            for (int i = 1; i <= LONGS; i++) {
              block.setLong(8L * i, n + i);
            }
            block.setInt(96, (int) n);
          }
        });
  }

  /** Makes an object by address. */
  static void allocate(Heap heap, long n) {
    long address = heap.allocate(RAW, SIZE);
    for (int i = 1; i <= LONGS; i++) {
      heap.putLong(address, 8 * i, n + i);
    }
    heap.putInt(address, 96, (int) n);
  }

  static void fill(Trade trade, long n) {
    trade.setValue1(n + 1);
    trade.setValue2(n + 2);
    trade.setValue3(n + 3);
    trade.setValue4(n + 4);
    trade.setValue5(n + 5);
    trade.setValue6(n + 6);
    trade.setValue7(n + 7);
    trade.setValue8(n + 8);
    trade.setValue9(n + 9);
    trade.setValue10(n + 10);
    trade.setValue11(n + 11);
    trade.setQuantity((int) n);
  }
}
