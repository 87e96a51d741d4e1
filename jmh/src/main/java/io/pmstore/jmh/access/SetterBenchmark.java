package io.pmstore.jmh.access;

import static io.pmstore.jmh.access.Access.ACCESSES;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

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
 * Writing one {@code long}: a ladder from a field to a setter in a transaction. Transactions are
 * rolled back, so that no commit is in the figures; a setter outside one is a durable transaction.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(ACCESSES)
public class SetterBenchmark {

  /** The baseline: the setter of an ordinary Java object. */
  @Benchmark
  public void plainField(PlainState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      state.quotes[i & state.mask].setBid(i);
      blackhole.consume(i); // keeps the stores apart
    }
  }

  /** A store to a mapped file. */
  @Benchmark
  public void rawSegment(SegmentState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      state.segment.set(JAVA_LONG, state.addresses[i & state.mask] + 8, i);
      blackhole.consume(i);
    }
  }

  /** The heap, by address, inside a transaction. */
  @Benchmark
  public void heapInside(StoreState state) {
    Rollback.after(
        state.heap,
        () -> {
          for (int i = 0; i < ACCESSES; i++) {
            state.heap.putLong(state.addresses[i & state.mask], state.offset, i);
          }
        });
  }

  /** The heap, by address: a transaction each. */
  @Benchmark
  public void heapOutside(StoreState state) {
    for (int i = 0; i < ACCESSES; i++) {
      state.heap.putLong(state.addresses[i & state.mask], state.offset, i);
    }
  }

  /** The generated setter, inside a transaction. */
  @Benchmark
  public void setterInside(StoreState state) {
    Rollback.after(
        state.heap,
        () -> {
          for (int i = 0; i < ACCESSES; i++) {
            state.quotes[i & state.mask].setBid(i);
          }
        });
  }

  /** The generated setter: a transaction each. */
  @Benchmark
  public void setterOutside(StoreState state) {
    for (int i = 0; i < ACCESSES; i++) {
      state.quotes[i & state.mask].setBid(i);
    }
  }

  /** A block of LLPL, inside a transaction, whose commit is in the figure. */
  @Benchmark
  public void llplInside(LlplState state) {
    state.pool.execute(() -> llplOutside(state));
  }

  /** A block of LLPL: a transaction each. */
  @Benchmark
  public void llplOutside(LlplState state) {
    for (int i = 0; i < ACCESSES; i++) {
      state.blocks[i & state.mask].setLong(8, i);
    }
  }
}
