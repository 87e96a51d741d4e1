package io.pmstore.core.engine;

import io.pmstore.Durability;
import io.pmstore.StoreFullException;
import io.pmstore.core.crash.HeapTiling;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.space.ReferenceMap;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Commits of a heap that reveal whether any is half there, and whether free space is sound. Each
 * thread counts its transactions in its own object, and replaces the objects that this one refers
 * to: one of up to a hundred chunks, and one in a slot. So space is divided into runs and slots
 * again and again. At times each thread makes a root of its own and removes it later.
 *
 * <pre>
 *   root of a thread   header, count, a large blob, a small object
 * </pre>
 */
final class HeapKillWorkload {
  static final int THREADS = 3;

  private static final int ROOT_SHAPE = 3;
  private static final int SMALL_SHAPE = 4;
  private static final int PROBE_SHAPE = 5;
  private static final int COUNT = 8;
  private static final int LARGE = 16;
  private static final int SMALL = 24;
  private static final int LARGE_MAX = 1_600_000;

  private final Heap heap;
  private final Set<Long> probes = new HashSet<>();

  /**
   * Opens a heap.
   *
   * @param engine its engine
   */
  HeapKillWorkload(Engine engine) {
    this.heap = new Heap(engine, Durability.SYNC, h -> new NoObjects());
    heap.referenceMaps().add(ROOT_SHAPE, new ReferenceMap(new int[] {LARGE, SMALL}, new int[0]));
    heap.referenceMaps().add(SMALL_SHAPE, ReferenceMap.NONE);
  }

  private static String name(int thread) {
    return "thread " + thread;
  }

  private static String passingName(int thread) {
    return "passing " + thread;
  }

  private static boolean hasPassingRoot(long count) {
    return count % 16 >= 8;
  }

  private static byte[] large(int thread, long count) {
    byte[] bytes = new byte[(int) (count * 104_729 % LARGE_MAX) + 1];
    Arrays.fill(bytes, (byte) (0x81 | (count * THREADS + thread) << 1)); // as bitmaps: used slots
    return bytes;
  }

  private static int smallSize(long count) {
    return 16 + (int) (count * 7919 % 9000) / 8 * 8;
  }

  /** Commits until the process is killed. Each acknowledgement is a line: thread, count. */
  void run(int thread, OutputStream acknowledgements) {
    try {
      while (true) {
        long count = heap.transaction(() -> step(thread));
        acknowledgements.write((thread + " " + count + " 0\n").getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long step(int thread) {
    long root = heap.directory().root(name(thread));
    if (root == 0) {
      root = heap.allocate(ROOT_SHAPE, 32);
      heap.directory().setRoot(name(thread), root);
    }
    long count = heap.getLong(root, COUNT) + 1;
    heap.putLong(root, COUNT, count);
    heap.putLong(root, LARGE, heap.blobs().create(large(thread, count)));
    heap.putLong(root, SMALL, heap.allocate(SMALL_SHAPE, smallSize(count)));
    if (hasPassingRoot(count) && !hasPassingRoot(count - 1)) {
      heap.directory().setRoot(passingName(thread), heap.allocate(SMALL_SHAPE, smallSize(count)));
    } else if (hasPassingRoot(count - 1) && !hasPassingRoot(count)) {
      heap.directory().removeRoot(passingName(thread));
    }
    return count;
  }

  /**
   * Checks the heap.
   *
   * @param acknowledged the last acknowledged count of each thread
   * @throws AssertionError if anything acknowledged is lost, half there, or if the free space is
   *     not what nothing reaches
   */
  void check(long[] acknowledged) {
    Set<Long> reachable = new HashSet<>(probes);
    long entry = heap.getLong(CoreLayout.SUPERBLOCK, CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    for (; entry != 0; entry = heap.getLong(entry, CoreLayout.NEXT_OFFSET)) {
      reachable.add(entry);
      reachable.add(heap.getLong(entry, CoreLayout.ROOT_NAME_OFFSET));
    }
    for (int thread = 0; thread < THREADS; thread++) {
      long root = heap.directory().root(name(thread));
      long count = root == 0 ? 0 : heap.getLong(root, COUNT);
      if (count < acknowledged[thread]) {
        throw new AssertionError(
            "%s has count %d; %d was acknowledged"
                .formatted(name(thread), count, acknowledged[thread]));
      }
      long passing = heap.directory().root(passingName(thread));
      if (hasPassingRoot(count) != (passing != 0)) {
        throw new AssertionError(
            "%s has count %d; %s is at %d"
                .formatted(name(thread), count, passingName(thread), passing));
      }
      if (passing != 0) {
        reachable.add(passing);
      }
      if (root != 0) {
        reachable.add(root);
        reachable.add(heap.getLong(root, LARGE));
        reachable.add(heap.getLong(root, SMALL));
        if (!Arrays.equals(large(thread, count), heap.blobs().read(heap.getLong(root, LARGE)))
            || heap.size(heap.getLong(root, SMALL)) < smallSize(count)) {
          throw new AssertionError(
              "%s has other contents than count %d says".formatted(name(thread), count));
        }
      }
    }
    HeapTiling.check(heap.memory(), reachable);
  }

  /**
   * Cuts all free space into slots, checks it, and frees the slots again.
   *
   * @param acknowledged as for {@link #check}
   */
  void probe(long[] acknowledged) {
    long size = heap.memory().size();
    long last = 0;
    while (last < size) {
      try {
        last = heap.transaction(Durability.relaxed(Duration.ofSeconds(1)), this::probeSome);
      } catch (StoreFullException e) {
        break; // an engine that cannot grow
      }
    }
    check(acknowledged);
    heap.referenceMaps().add(PROBE_SHAPE, ReferenceMap.NONE);
    Reclamation reclamation = heap.reclamation();
    long[] freed = probes.stream().mapToLong(probe -> probe).toArray();
    for (int from = 0; from < freed.length; from += 256) {
      long[] some = Arrays.copyOfRange(freed, from, Math.min(from + 256, freed.length));
      if (!reclamation.freeUnreached(some, some.length, reclamation.position())) {
        throw new AssertionError("no snapshot is open");
      }
    }
    probes.clear();
    reclamation.compact();
    check(acknowledged);
  }

  /** Closes the heap, and its engine. */
  void close() {
    heap.close();
  }

  /** Returns the address of the last one. */
  private long probeSome() {
    long[] made = new long[16];
    // Of a chunk of the largest size there is one slot, whose bit comes first.
    Arrays.setAll(made, i -> heap.allocate(PROBE_SHAPE, i < 8 ? 16 << i : 16_000));
    heap.onCommit(() -> Arrays.stream(made).forEach(probes::add));
    return made[made.length - 1];
  }
}
