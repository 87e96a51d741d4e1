package io.pmstore.jmh.orders;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Finding an order by its id, at random among all, and reading all its fields. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class OrderReadBenchmark {

  private static void read(@Nullable StockOrder order, Blackhole blackhole) {
    if (order == null) {
      throw new IllegalStateException("an order is missing");
    }
    blackhole.consume(order.getId());
    blackhole.consume(order.getSymbol());
    blackhole.consume(order.getAccount());
    blackhole.consume(order.getSide());
    blackhole.consume(order.getQuantity());
    blackhole.consume(order.getPrice());
    blackhole.consume(order.getTime());
  }

  private static long anyId(int size) {
    return ThreadLocalRandom.current().nextInt(size);
  }

  /** The baseline: a {@link java.util.HashMap} of ordinary objects. */
  @Benchmark
  public void plain(PlainBookState state, Blackhole blackhole) {
    read(state.orders.get(anyId(state.bookSize)), blackhole);
  }

  /** Each read by itself. */
  @Benchmark
  public void outside(BookState state, Blackhole blackhole) {
    read(state.book.getOrders().get(anyId(state.bookSize)), blackhole);
  }

  /** All reads of one order in a transaction, so that they belong together. */
  @Benchmark
  public void inside(BookState state, Blackhole blackhole) {
    long id = anyId(state.bookSize);
    state.store.transaction(() -> read(state.book.getOrders().get(id), blackhole));
  }
}
