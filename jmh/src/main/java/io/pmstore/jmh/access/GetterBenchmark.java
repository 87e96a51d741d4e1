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
 * Reading one {@code long}: a ladder from a field to a getter in a transaction; and one reference.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(ACCESSES)
public class GetterBenchmark {

  /** The baseline: the getter of an ordinary Java object. */
  @Benchmark
  public void plainField(PlainState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.quotes[i & state.mask].getBid());
    }
  }

  /** A load from a mapped file. */
  @Benchmark
  public void rawSegment(SegmentState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.segment.get(JAVA_LONG, state.addresses[i & state.mask] + 8));
    }
  }

  /** The heap, by address, outside a transaction. */
  @Benchmark
  public void heapOutside(StoreState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.heap.getLong(state.addresses[i & state.mask], state.offset));
    }
  }

  /** The heap, by address, inside a transaction. */
  @Benchmark
  public void heapInside(StoreState state, Blackhole blackhole) {
    state.heap.transaction(
        () -> {
          heapOutside(state, blackhole);
          return true;
        });
  }

  /** The generated getter, outside a transaction. */
  @Benchmark
  public void getterOutside(StoreState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.quotes[i & state.mask].getBid());
    }
  }

  /** The generated getter, inside a transaction. */
  @Benchmark
  public void getterInside(StoreState state, Blackhole blackhole) {
    state.heap.transaction(
        () -> {
          getterOutside(state, blackhole);
          return true;
        });
  }

  /** The generated getter, inside a transaction that has written the objects. */
  @Benchmark
  public void getterOfWritten(StoreState state, Blackhole blackhole) {
    Rollback.after(
        state.heap,
        () -> {
          for (int i = 0; i <= state.mask; i++) {
            state.quotes[i].setAsk(i);
          }
          getterOutside(state, blackhole);
        });
  }

  /** The generated getter of a reference to an object that the program has. */
  @Benchmark
  public void referenceOutside(LinkState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.links[i & state.mask].getQuote());
    }
  }

  /** The same inside a transaction. */
  @Benchmark
  public void referenceInside(LinkState state, Blackhole blackhole) {
    state.heap.transaction(
        () -> {
          referenceOutside(state, blackhole);
          return true;
        });
  }

  /** A block of LLPL; its reads take no part in transactions. */
  @Benchmark
  public void llpl(LlplState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.blocks[i & state.mask].getLong(8));
    }
  }
}
