package io.pmstore.jmh.commit;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How the durations of durable transactions of three setters on persistent memory are distributed,
 * while checkpoints run. Each transaction changes a random one of many objects, so that the
 * checkpoints have something to write back.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class PmemLatencyBenchmark {

  /** The baseline: 128 bytes copied, written back and fenced. What it shows is the machine. */
  @Benchmark
  public void barrier(BarrierState.OnPmem state, Writer writer) {
    state.log.append(writer.record);
  }

  /** Three setters in a transaction. */
  @Benchmark
  public void transaction(ScatteredState state) {
    state.transaction();
  }
}
