package io.pmstore.jmh.gc;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreStatistics;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * Replaces objects, each in a transaction of its own, while a hundred thousand are alive, and
 * prints how fast, how evenly, and in how much space: beside the same work that makes no garbage,
 * because what was there hangs behind what comes.
 */
public final class Churn {
  private static final int LIVE = 100_000;
  private static final int BATCH = 1000;
  private static final long SEED = 20_26_11;
  private static final String TEXT = "a text that is too long to be kept in line ";

  /** What becomes of the object that was there. */
  private enum Kind {
    NO_GARBAGE("kept: no garbage"),
    FREED("one reference: freed at once"),
    TRACED("two references: traced"),
    CYCLE("in a cycle: traced");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  private Churn() {}

  /**
   * Prints the table.
   *
   * @param args how many objects to replace; 10 million if absent. The baseline, which keeps them
   *     all, makes at most 2 million
   * @throws IOException if there is no place for a store
   */
  public static void main(String[] args) throws IOException {
    int objects = args.length > 0 ? Integer.parseInt(args[0]) : 10_000_000;
    System.out.printf(
        "%-30s %10s %9s %9s %9s %9s %9s %7s %6s %9s%n",
        "",
        "objects",
        "k/s",
        "p50 us",
        "p99.9 us",
        "max us",
        "file MiB",
        "x live",
        "traces",
        "freed");
    for (Kind kind : Kind.values()) {
      run(kind, kind == Kind.NO_GARBAGE ? Math.min(objects, 2_000_000) : objects);
    }
    System.out.println(
        """

        k/s        thousand transactions a second
        p50, ...   of the time of one transaction
        file       size of the heap's file at the end; x live: as a multiple of what it was when
                   all objects that are alive at a time had been made
        traces     collections that ran; freed: million objects that were freed meanwhile, strings
                   included\
        """);
  }

  private static void run(Kind kind, int objects) throws IOException {
    PmStoreOptions options = PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY);
    try (TemporaryDirectory directory = TemporaryDirectory.create(Storage.PERSISTENT_MEMORY)) {
      Path path = directory.path().resolve("store");
      try (PmStore store = PmStore.open(path, options)) {
        Place[] places = fill(store, kind);
        long live = store.statistics().heapBytes();
        Histogram times = new Histogram(3);
        SplittableRandom random = new SplittableRandom(SEED);
        // What the compiler has to learn is not what is measured.
        churn(store, kind, places, random, Math.min(objects / 10, 200_000), new Histogram(3));
        long began = System.nanoTime();
        churn(store, kind, places, random, objects, times);
        double seconds = (System.nanoTime() - began) / 1e9;
        StoreStatistics statistics = store.statistics();
        System.out.printf(
            Locale.ROOT,
            "%-30s %10d %9.1f %9.2f %9.1f %9.0f %9.1f %7.2f %6d %9.1f%n",
            kind.label,
            objects,
            objects / seconds / 1e3,
            times.getValueAtPercentile(50) / 1e3,
            times.getValueAtPercentile(99.9) / 1e3,
            times.getMaxValue() / 1e3,
            statistics.heapBytes() / 1048576.0,
            (double) statistics.heapBytes() / live,
            statistics.collections(),
            statistics.freedObjects() / 1e6);
      }
    }
  }

  private static Place[] fill(PmStore store, Kind kind) {
    Shop shop = store.root(Shop.class);
    Place[] places = new Place[LIVE];
    for (int from = 0; from < LIVE; from += BATCH) {
      int first = from;
      store.transaction(
          () -> {
            for (int i = first; i < first + BATCH; i++) {
              places[i] = store.create(Place.class);
              shop.getPlaces().add(places[i]);
              replace(store, kind, places[i], i);
            }
          });
    }
    return places;
  }

  private static void churn(
      PmStore store,
      Kind kind,
      Place[] places,
      SplittableRandom random,
      int objects,
      Histogram times) {
    for (int i = 0; i < objects; i++) {
      Place place = places[random.nextInt(LIVE)];
      int number = i;
      long began = System.nanoTime();
      store.transaction(() -> replace(store, kind, place, number));
      times.recordValue(System.nanoTime() - began);
    }
  }

  private static void replace(PmStore store, Kind kind, Place place, int number) {
    Item item = store.create(Item.class);
    item.setNumber(number);
    item.setText(TEXT + number);
    switch (kind) {
      case NO_GARBAGE -> item.setPrevious(place.getItem());
      case FREED -> {}
      case TRACED -> place.setOther(item);
      case CYCLE -> item.setPrevious(item);
    }
    place.setItem(item);
  }
}
