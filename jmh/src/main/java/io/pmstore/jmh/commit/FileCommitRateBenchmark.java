package io.pmstore.jmh.commit;

import java.io.IOException;
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
 * How many durable transactions of three setters all threads together do a second on an ordinary
 * file, each on an object of its own, beside as many bare barriers, each thread for itself.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class FileCommitRateBenchmark {

  /** 128 bytes written and synced, on one thread. */
  @Benchmark
  @Threads(1)
  public void barrierOn1Thread(BarrierState.OnFile state, Writer writer) throws IOException {
    state.log.append(writer.buffer.clear());
  }

  /** 128 bytes written and synced, on four threads. */
  @Benchmark
  @Threads(4)
  public void barrierOn4Threads(BarrierState.OnFile state, Writer writer) throws IOException {
    state.log.append(writer.buffer.clear());
  }

  /** 128 bytes written and synced, on 64 threads. */
  @Benchmark
  @Threads(64)
  public void barrierOn64Threads(BarrierState.OnFile state, Writer writer) throws IOException {
    state.log.append(writer.buffer.clear());
  }

  @Benchmark
  @Threads(1)
  public void transactionOn1Thread(StoreState.OnFile state, Writer writer) {
    state.transaction(writer);
  }

  /** The transaction, on four threads. */
  @Benchmark
  @Threads(4)
  public void transactionOn4Threads(StoreState.OnFile state, Writer writer) {
    state.transaction(writer);
  }

  @Benchmark
  @Threads(64)
  public void transactionOn64Threads(StoreState.OnFile state, Writer writer) {
    state.transaction(writer);
  }
}
