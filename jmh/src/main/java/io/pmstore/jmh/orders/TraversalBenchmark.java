package io.pmstore.jmh.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Following a linked list from its first element to its last: the time for all of them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class TraversalBenchmark {

  /** Holds the Java objects, as a program does that works with them. */
  @State(Scope.Benchmark)
  public static class Held {
    private final List<Node> nodes = new ArrayList<>();

    /** Meets all elements once. */
    @Setup(Level.Trial)
    public void meet(BookState state) {
      for (Node node = state.book.getFirst(); node != null; node = node.getNext()) {
        nodes.add(node);
      }
    }
  }

  private static long sum(@Nullable Node first) {
    long sum = 0;
    for (Node node = first; node != null; node = node.getNext()) {
      sum += node.getValue();
    }
    return sum;
  }

  /** The baseline: ordinary objects. */
  @Benchmark
  public long plain(PlainBookState state) {
    return sum(state.first);
  }

  /** Objects that the program holds. */
  @Benchmark
  public long held(BookState state, Held held) {
    return sum(state.book.getFirst());
  }

  /** Objects that nobody holds: their Java objects are made again when they were collected. */
  @Benchmark
  public long notHeld(BookState state) {
    return sum(state.book.getFirst());
  }

  /** Objects that the program holds, in one transaction. */
  @Benchmark
  public long heldInside(BookState state, Held held) {
    return state.store.transaction(() -> sum(state.book.getFirst()));
  }
}
