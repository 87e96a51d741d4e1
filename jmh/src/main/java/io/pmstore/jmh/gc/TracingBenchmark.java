package io.pmstore.jmh.gc;

import io.pmstore.GcReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A collection of a store in which everything is alive: the time for each object, strings and nodes
 * of collections included.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@OperationsPerInvocation(TracingBenchmark.OBJECTS)
public class TracingBenchmark {
  static final int OBJECTS = 2_000_000;

  private static final int BATCH = 1000;

  /** A store with all of the objects. */
  @State(Scope.Benchmark)
  public static class KeptShop {
    /** How the items are found: one behind the other, or in a list. */
    @Param({"chain", "list"})
    public String graph;

    private TemporaryDirectory directory;
    private PmStore store;

    /** Fills a store. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
      directory = TemporaryDirectory.create(Storage.PERSISTENT_MEMORY);
      store =
          PmStore.open(
              directory.path().resolve("store"),
              PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY).gcInBackground(false));
      Shop shop = store.root(Shop.class);
      for (int from = 0; from < items(graph); from += BATCH) {
        int first = from;
        store.transaction(
            () -> {
              for (int i = first; i < first + BATCH; i++) {
                add(shop, store.create(Item.class), i, graph);
              }
            });
      }
    }

    /** Closes and deletes the store. */
    @TearDown(Level.Trial)
    public void close() {
      store.close();
      directory.close();
    }
  }

  private static int items(String graph) {
    return OBJECTS / (graph.equals("list") ? 3 : 2); // the item, its string, and its place
  }

  private static void add(Shop shop, Item item, int number, String graph) {
    item.setNumber(number);
    item.setText("a text that is too long to be kept in line " + number);
    if (graph.equals("list") || number == 0) {
      Place place = new Place();
      place.setItem(item);
      shop.getPlaces().add(place);
    } else {
      Place place = shop.getPlaces().get(0);
      item.setPrevious(place.getItem());
      place.setItem(item);
    }
  }

  /** The same objects, plain, all of them held. */
  @State(Scope.Benchmark)
  public static class PlainShop {
    /** As in the store. */
    @Param({"chain", "list"})
    public String graph;

    private final Shop shop = new Shop();

    /** Makes the objects. */
    @Setup(Level.Trial)
    public void fill() {
      for (int i = 0; i < items(graph); i++) {
        add(shop, new Item(), i, graph);
      }
    }
  }

  /** The baseline: who follows the references of plain objects. */
  @Benchmark
  public long plainWalk(PlainShop plain) {
    long characters = 0;
    for (Place place : plain.shop.getPlaces()) {
      for (Item item = place.getItem(); item != null; item = item.getPrevious()) {
        characters += Objects.requireNonNull(item.getText()).length();
      }
    }
    return characters;
  }

  /** A whole collection. */
  @Benchmark
  public GcReport collect(KeptShop kept) {
    return kept.store.gc();
  }
}
