package io.pmstore.jmh.commit;

import io.pmstore.core.heap.Heap;
import io.pmstore.jmh.support.StoredQuotes;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A durable transaction of three setters on persistent memory, beside the bare barrier and LLPL.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PmemCommitBenchmark {

  /** The baseline: 128 bytes copied, written back and fenced. */
  @Benchmark
  public void barrier(BarrierState.OnPmem state, Writer writer) {
    state.log.append(writer.record);
  }

  /** The engine alone: a range of three words logged and applied. */
  @Benchmark
  public long engine(EngineState state, Writer writer) {
    return state.commit(++writer.count);
  }

  /** Three words written through the heap, by address, in a transaction. */
  @Benchmark
  public void heap(StoreState.OnPmem state, Writer writer) {
    StoredQuotes stored = state.stored();
    Heap heap = stored.heap();
    long address = stored.addresses()[writer.object];
    long n = ++writer.count;
    heap.transaction(
        () -> {
          heap.putLong(address, 8, n);
          heap.putLong(address, 16, n + 1);
          heap.putLong(address, 24, n + 2);
          return true;
        });
  }

  /** Three setters in a transaction. */
  @Benchmark
  public void transaction(StoreState.OnPmem state, Writer writer) {
    state.transaction(writer);
  }

  /** Three setters in a transaction, in a store that is a PMDK pool. */
  @Benchmark
  public void llplStore(StoreState.OnLlpl state, Writer writer) {
    state.transaction(writer);
  }

  /** Three words of a block set by LLPL's transactional setters, in a transaction. */
  @Benchmark
  public void llplSetters(LlplState.Setters state, Writer writer) {
    state.transaction(writer);
  }

  /** Three words of a block set after one snapshot, in a transaction of LLPL. */
  @Benchmark
  public void llplOneRange(LlplState.OneRange state, Writer writer) {
    state.transaction(writer);
  }
}
