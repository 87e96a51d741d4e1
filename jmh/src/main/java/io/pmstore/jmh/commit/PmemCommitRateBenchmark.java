package io.pmstore.jmh.commit;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many durable transactions of three setters all threads together do a second on persistent
 * memory, each on an object of its own, beside as many bare barriers.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PmemCommitRateBenchmark {

  /** 128 bytes copied, written back and fenced, on one thread. */
  @Benchmark
  @Threads(1)
  public void barrierOn1Thread(BarrierState.OnPmem state, Writer writer) {
    state.log.append(writer.record);
  }

  /** 128 bytes copied, written back and fenced, on two threads. */
  @Benchmark
  @Threads(2)
  public void barrierOn2Threads(BarrierState.OnPmem state, Writer writer) {
    state.log.append(writer.record);
  }

  /** 128 bytes copied, written back and fenced, on four threads. */
  @Benchmark
  @Threads(4)
  public void barrierOn4Threads(BarrierState.OnPmem state, Writer writer) {
    state.log.append(writer.record);
  }

  @Benchmark
  @Threads(1)
  public void transactionOn1Thread(StoreState.OnPmemWithLargeLog state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction, on two threads. */
  @Benchmark
  @Threads(2)
  public void transactionOn2Threads(StoreState.OnPmemWithLargeLog state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction, on four threads. */
  @Benchmark
  @Threads(4)
  public void transactionOn4Threads(StoreState.OnPmemWithLargeLog state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction in a store that is a PMDK pool, on one thread. */
  @Benchmark
  @Threads(1)
  public void llplStoreOn1Thread(StoreState.OnLlpl state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction in a store that is a PMDK pool, on two threads. */
  @Benchmark
  @Threads(2)
  public void llplStoreOn2Threads(StoreState.OnLlpl state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction in a store that is a PMDK pool, on four threads. */
  @Benchmark
  @Threads(4)
  public void llplStoreOn4Threads(StoreState.OnLlpl state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction by hand on LLPL, with one snapshot, on one thread. */
  @Benchmark
  @Threads(1)
  public void llplOneRangeOn1Thread(LlplState.OneRange state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction by hand on LLPL, with one snapshot, on two threads. */
  @Benchmark
  @Threads(2)
  public void llplOneRangeOn2Threads(LlplState.OneRange state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction by hand on LLPL, with one snapshot, on four threads. */
  @Benchmark
  @Threads(4)
  public void llplOneRangeOn4Threads(LlplState.OneRange state, Writer writer) {
    state.transaction(writer);
  }
}
