package io.pmstore.jmh.fragmentation;

import io.pmstore.Storage;
import io.pmstore.core.heap.Heap;
import io.pmstore.jmh.support.Rollback;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Allocates objects of mixed sizes and prints how much of the chunks in use they fill.
 *
 * <p>Sizes, in bytes, header included: of 100 objects 60 have 40 to 119 (entries, nodes,
 * executions), 30 have 120 to 279 (orders), 9 have 280 to 400 (accounts, instruments), evenly
 * distributed within these; of each thousand nine have 1,000 to 12,000 (messages, wide nodes), one
 * 20,000 to 200,000 (documents).
 */
public final class Fragmentation {
  /**
   * A shape that no catalogue has: commits leave such objects alone, though nothing refers to them.
   */
  private static final int RAW = Integer.MAX_VALUE;

  private static final int BATCH = 64;
  private static final long SEED = 20_26_11;

  private Fragmentation() {}

  /**
   * Prints the table.
   *
   * @param args how many objects to allocate; a million if absent
   * @throws IOException if there is no place for a store
   * @throws InterruptedException if interrupted
   * @throws ExecutionException if an allocation fails
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    int objects = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    System.out.printf(
        "%-26s %9s %9s %9s %9s %9s %9s %9s%n",
        "", "objects", "live", "in use", "live/use", "rounding", "unused", "overhead");
    for (int rolledBack : new int[] {0, 20}) {
      for (int threads : new int[] {1, 16}) {
        print(
            "%d thread%s, %d %% rolled back".formatted(threads, threads > 1 ? "s" : "", rolledBack),
            allocate(objects, threads, rolledBack));
      }
    }
    System.out.println(
        """

        live       bytes of objects, MiB
        in use     bytes of chunks in use, MiB
        rounding   internal: slots and runs beyond their objects' ends, as a share of in use
        unused     external: slots without an object, as a share of in use
        overhead   external: bitmaps, and what is left at chunks' ends, as a share of in use\
        """);
  }

  private static void print(String what, SpaceUse use) {
    double inUse = use.inUse();
    System.out.printf(
        Locale.ROOT,
        "%-26s %9d %9.1f %9.1f %7.1f %% %7.1f %% %7.1f %% %7.1f %%%n",
        what,
        use.objects(),
        use.live() / 1048576.0,
        inUse / 1048576.0,
        100 * use.live() / inUse,
        100 * use.rounding() / inUse,
        100 * use.unusedSlots() / inUse,
        100 * use.chunkOverhead() / inUse);
  }

  private static SpaceUse allocate(int objects, int threads, int rolledBackPercent)
      throws IOException, InterruptedException, ExecutionException {
    try (StoredQuotes stored = StoredQuotes.create(Storage.PERSISTENT_MEMORY, 1);
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = new SplittableRandom(SEED + thread);
        running.add(
            executor.submit(
                () -> allocate(stored.heap(), objects / threads, random, rolledBackPercent)));
      }
      for (Future<?> one : running) {
        one.get();
      }
      return SpaceUse.of(stored.heap().memory());
    }
  }

  private static void allocate(
      Heap heap, int objects, SplittableRandom random, int rolledBackPercent) {
    for (int done = 0; done < objects; ) {
      int[] sizes = new int[Math.min(BATCH, objects - done)];
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = size(random);
      }
      if (random.nextInt(100) < rolledBackPercent) {
        Rollback.after(heap, () -> allocate(heap, sizes));
      } else {
        heap.transaction(
            () -> {
              allocate(heap, sizes);
              return true;
            });
        done += sizes.length;
      }
    }
  }

  private static void allocate(Heap heap, int[] sizes) {
    for (int size : sizes) {
      heap.allocate(RAW, size);
    }
  }

  private static int size(SplittableRandom random) {
    int of1000 = random.nextInt(1000);
    if (of1000 == 0) {
      return random.nextInt(20_000, 200_001);
    }
    if (of1000 < 10) {
      return random.nextInt(1_000, 12_001);
    }
    if (of1000 < 100) {
      return random.nextInt(280, 401);
    }
    return of1000 < 400 ? random.nextInt(120, 280) : random.nextInt(40, 120);
  }
}
