package io.pmstore.jmh.access;

import static io.pmstore.jmh.access.Access.ACCESSES;

import io.pmstore.jmh.support.Forks;
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
 * Reading and writing one {@code long} of an object of an enhanced class. The baselines are {@link
 * GetterBenchmark#plainField} and {@link SetterBenchmark#plainField} for plain objects, and the
 * generated class's {@link GetterBenchmark#getterOutside} and {@link GetterBenchmark#getterInside}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 2,
    jvmArgsAppend = {
      Forks.NATIVE_ACCESS,
      Forks.UNSAFE_ACCESS,
      "-XX:+EnableDynamicAgentLoading",
      "-Djdk.attach.allowAttachSelf=true"
    })
@OperationsPerInvocation(ACCESSES)
public class EnhancedBenchmark {

  /** The getter of a plain object. */
  @Benchmark
  public void plainGetter(EnhancedState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.quotes.plain[i & state.mask].getBid());
    }
  }

  /** The setter of a plain object. */
  @Benchmark
  public void plainSetter(EnhancedState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      state.quotes.plain[i & state.mask].setBid(i);
      blackhole.consume(i); // keeps the stores apart
    }
  }

  /** The getter of a persistent object, outside a transaction. */
  @Benchmark
  public void getterOutside(EnhancedState state, Blackhole blackhole) {
    for (int i = 0; i < ACCESSES; i++) {
      blackhole.consume(state.quotes.persistent[i & state.mask].getBid());
    }
  }

  /** The getter of a persistent object, inside a transaction. */
  @Benchmark
  public void getterInside(EnhancedState state, Blackhole blackhole) {
    state.store.transaction(() -> getterOutside(state, blackhole));
  }
}
