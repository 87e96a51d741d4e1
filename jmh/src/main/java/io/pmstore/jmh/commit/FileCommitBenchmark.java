package io.pmstore.jmh.commit;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** A durable transaction of three setters on an ordinary file, beside the bare barrier. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class FileCommitBenchmark {

  /** The baseline: 128 bytes written to a preallocated file, and fdatasync. */
  @Benchmark
  public void barrier(BarrierState.OnFile state, Writer writer) throws IOException {
    state.log.append(writer.buffer.clear());
  }

  /** Three setters in a transaction. */
  @Benchmark
  public void transaction(StoreState.OnFile state, Writer writer) {
    state.transaction(writer);
  }
}
