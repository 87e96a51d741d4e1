package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.tx.LinkListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads change a graph of objects at random, take and drop Java objects, and free what is
 * unlinked. What a transaction meets is always whole; at the end, what headers say of references is
 * true, and nothing is left that nothing refers to.
 */
class LinksModelTest {
  private static final int ROOTS = 3;
  private static final int ROOT_SLOTS = 24;
  private static final int NODE = 4;
  private static final int NODE_SIZE = 56;
  private static final int LEFT = 8;
  private static final int RIGHT = 16;
  private static final int CELL = 24;
  private static final int MAGIC = 40;
  private static final int SPARE = 48;
  private static final int BLOB_TAG = ReferenceMap.CELL_ADDRESS | 10;
  private static final int OBJECT_TAG = ReferenceMap.CELL_ADDRESS | 63;
  private static final long SALT = 0x5eed_0b1e_c7ed_1234L;

  private final PinnedObjects objects = new PinnedObjects();
  private final Heap heap = new Heap(new ParallelEngine(), Durability.SYNC, h -> objects);
  private final Reclamation reclamation = heap.reclamation();
  private final ReferenceReader references = reclamation.references();
  private final ConcurrentLinkedQueue<Long> unlinked = new ConcurrentLinkedQueue<>();
  private long root;

  private final class Queue implements LinkListener {
    @Override
    public void unlinked(long object, long position) {
      unlinked.add(object);
    }
  }

  @AfterEach
  void close() {
    heap.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void headersTellTheTruth(int threads) throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("LinksModelTest: -Dpmstore.seed=" + seed);
    int steps = Integer.getInteger("pmstore.links.steps", 20_000) / threads;
    int[] slots = new int[ROOT_SLOTS];
    for (int i = 0; i < ROOT_SLOTS; i++) {
      slots[i] = 8 + 8 * i;
    }
    heap.referenceMaps().add(ROOTS, new ReferenceMap(slots, new int[0]));
    heap.referenceMaps().add(NODE, new ReferenceMap(new int[] {LEFT, RIGHT}, new int[] {CELL}));
    reclamation.listener(new Queue());
    heap.transaction(
        () -> {
          root = heap.allocate(ROOTS, 8 + 8 * ROOT_SLOTS);
          heap.directory().setRoot("root", root);
          return null;
        });
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      SplittableRandom seeds = new SplittableRandom(seed);
      List<Future<?>> runs = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Mutator mutator = new Mutator(seeds.split());
        runs.add(pool.submit(() -> mutator.run(steps)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    }
    freeUnlinked(Integer.MAX_VALUE);
    checkLinks();
    sweep();
    checkLinks();
  }

  /** One thread with its Java objects. */
  private final class Mutator {
    private final SplittableRandom random;
    private final List<Long> pinned = new ArrayList<>();

    Mutator(SplittableRandom random) {
      this.random = random;
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        if (random.nextInt(6) == 0 && !pinned.isEmpty()) {
          long dropped = pinned.remove(random.nextInt(pinned.size()));
          objects.drop(dropped);
          unlinked.add(dropped); // as when a Java object is collected
        }
        if (random.nextInt(20) == 0) {
          freeUnlinked(10);
        }
        transaction();
      }
      for (long each : pinned) {
        objects.drop(each);
        unlinked.add(each);
      }
    }

    private void transaction() {
      List<Long> taken = new ArrayList<>();
      SplittableRandom before = random.split();
      heap.transaction(
          () -> {
            taken.forEach(objects::drop); // of an attempt that failed
            taken.clear();
            SplittableRandom mine = before.split();
            int changes = 1 + mine.nextInt(4);
            for (int i = 0; i < changes; i++) {
              change(mine, taken);
            }
            return null;
          });
      pinned.addAll(taken);
    }

    private void change(SplittableRandom r, List<Long> taken) {
      long place = place(r);
      switch (r.nextInt(10)) {
        case 0, 1, 2 -> putReference(place, create(r));
        case 3 -> {
          if (r.nextInt(20) == 0) {
            changeName("name " + r.nextInt(5), reference(place), r);
          } else {
            putReference(place, 0);
          }
        }
        case 4 -> {
          long from = place(r);
          long moved = reference(from);
          putReference(from, 0);
          putReference(place, moved);
        }
        case 5 -> {
          if (r.nextInt(4) == 0) {
            putReference(place, reference(place(r)));
          }
        }
        case 6 -> {
          long target = reference(place);
          if (target != 0) {
            objects.take(heap, target);
            taken.add(target);
          }
        }
        case 7 -> {
          if (!pinned.isEmpty()) {
            putReference(place, pinned.get(r.nextInt(pinned.size())));
          }
        }
        case 8 -> {
          long object = object(place);
          if (object != root) {
            putCell(object, r);
          }
        }
        default -> {
          long object = object(place);
          if (object != root) {
            heap.putLong(object, SPARE, r.nextLong());
          }
        }
      }
    }

    private void changeName(String name, long target, SplittableRandom r) {
      if (r.nextBoolean()) {
        heap.directory().setRoot(name, target);
      } else {
        assertEquals(heap.directory().root(name) != 0, heap.directory().removeRoot(name));
      }
    }

    private long create(SplittableRandom r) {
      long made = heap.allocate(NODE, NODE_SIZE);
      heap.putLong(made, MAGIC, made ^ SALT);
      if (r.nextBoolean()) {
        putCell(made, r);
      }
      return made;
    }

    private void putCell(long object, SplittableRandom r) {
      long target =
          switch (r.nextInt(3)) {
            case 0 -> heap.blobs().create(new byte[r.nextInt(100)]);
            case 1 -> reference(place(r));
            default -> 0;
          };
      boolean isNode = target != 0 && heap.shapeId(target) == NODE;
      heap.putLong(object, CELL, target == 0 ? 5 : isNode ? OBJECT_TAG : BLOB_TAG);
      heap.putLong(object, CELL + 8, target == 0 ? r.nextLong() : target);
    }

    /** A place in an object near the root: the object's address, and a slot in the low bits. */
    private long place(SplittableRandom r) {
      long slot = 8 + 8L * r.nextInt(ROOT_SLOTS);
      long object = root;
      for (int depth = r.nextInt(4); depth > 0; depth--) {
        long next = heap.getLong(object, (int) slot);
        if (next == 0) {
          break;
        }
        check(next);
        object = next;
        slot = r.nextBoolean() ? LEFT : RIGHT;
      }
      return object << 8 | slot;
    }

    private long object(long place) {
      return place >> 8;
    }

    private long reference(long place) {
      long target = heap.getLong(object(place), (int) place & 0xff);
      if (target != 0) {
        check(target);
      }
      return target;
    }

    private void putReference(long place, long target) {
      heap.putLong(object(place), (int) place & 0xff, target);
    }

    private void check(long node) {
      assertEquals(NODE, heap.shapeId(node), "shape");
      assertEquals(node ^ SALT, heap.getLong(node, MAGIC), "contents");
      long first = heap.getLong(node, CELL);
      if (first == BLOB_TAG) {
        heap.blobs().read(heap.getLong(node, CELL + 8));
      }
    }
  }

  private void freeUnlinked(int max) {
    for (int i = 0; i < max; i++) {
      Long next = unlinked.poll();
      if (next == null) {
        return;
      }
      assertTrue(reclamation.freeUnlinked(new long[] {next}, 1, reclamation.position()));
    }
  }

  private Map<Long, Long> allocated() {
    Map<Long, Long> headers = new HashMap<>();
    for (long chunk = 0; chunk < heap.memory().size(); chunk += ExtentLayout.CHUNK_SIZE) {
      reclamation.forEachAllocated(chunk, (object, header, bytes) -> headers.put(object, header));
    }
    return headers;
  }

  /** Compares what headers say with the references that there are, and walks all from the root. */
  private void checkLinks() {
    Map<Long, Long> headers = allocated();
    Map<Long, Integer> counts = new HashMap<>();
    counts.merge(root, 1, Integer::sum); // from its entry, which is no object of a shape here
    List<Long> all = new ArrayList<>(headers.keySet());
    all.add(CoreLayout.SUPERBLOCK);
    counts.remove(root);
    for (long object : all) {
      references.forEach(
          object,
          target -> {
            assertTrue(headers.containsKey(target), object + " refers to freed " + target);
            counts.merge(target, 1, Integer::sum);
          });
    }
    headers.forEach(
        (object, header) -> {
          int count = counts.getOrDefault(object, 0);
          switch (ObjectLayout.links(header)) {
            case ObjectLayout.FLAG_SINGLE -> assertEquals(1, count, "references to " + object);
            case ObjectLayout.FLAG_UNLINKED -> assertEquals(null, object, "an unlinked object");
            default -> {} // any number
          }
        });
  }

  private TreeSet<Long> reached() {
    TreeSet<Long> reached = new TreeSet<>();
    ArrayDeque<Long> waiting = new ArrayDeque<>(List.of(CoreLayout.SUPERBLOCK));
    while (!waiting.isEmpty()) {
      references.forEach(
          waiting.pop(),
          target -> {
            if (reached.add(target)) {
              waiting.push(target);
            }
          });
    }
    return reached;
  }

  private void sweep() {
    TreeSet<Long> reached = reached();
    for (long object : allocated().keySet()) {
      if (!reached.contains(object)) {
        assertTrue(reclamation.freeUnreached(new long[] {object}, 1, reclamation.position()));
      }
    }
    freeUnlinked(Integer.MAX_VALUE);
    assertEquals(reached, new TreeSet<>(allocated().keySet()));
    assertEquals(reached, reached());
  }
}
