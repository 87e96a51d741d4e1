package io.pmstore.jmh.opening;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the first object of a class costs: loading the class, and making the object. The store is
 * open and has objects of another class. The baseline is the class as it is, with a generated
 * subclass; the other was enhanced when it was built.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(11)
public class FirstObjectBenchmark {

  /** The first class of its form in the JVM. */
  @Benchmark
  public Object first(FirstObjectState state) throws ClassNotFoundException {
    return state.make(0);
  }

  /** Another class, of the same form, after twenty. */
  @Benchmark
  public Object afterOthers(FirstObjectState state) throws ClassNotFoundException {
    return state.make(FirstObjectState.OTHERS);
  }
}
