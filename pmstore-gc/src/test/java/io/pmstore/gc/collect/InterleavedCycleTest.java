package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.core.heap.HeapSnapshot;
import io.pmstore.gc.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random transactions between the steps of collections, compared with a model: what the roots and
 * the Java objects reach is whole, and a collection frees everything else.
 */
@Timeout(300)
class InterleavedCycleTest {
  private static final int RUNS = Integer.getInteger("pmstore.gc.runs", 40);
  private static final int OPERATIONS = 1500;

  /** One run. */
  private static final class Run {
    private final Random random;
    private final CollectedHeap store = new CollectedHeap();
    // What was reachable after the last operation: the references of each object, and its id.
    private final Map<Long, long[]> references = new HashMap<>();
    private final Map<Long, Long> ids = new HashMap<>();
    private final Set<Long> pinned = new HashSet<>();
    private long nextId = 1;
    private @Nullable Cycle cycle;
    private @Nullable HeapSnapshot snapshot;
    private int collections;

    Run(long seed) {
      random = new Random(seed);
      references.put(store.root, new long[CollectedHeap.ROOT_REFERENCES]);
    }

    void run() {
      for (int i = 0; i < OPERATIONS; i++) {
        operate();
        forgetUnreachable();
        collect();
        if (i % 50 == 0) {
          check();
        }
      }
      closeSnapshot();
      while (cycle != null) {
        stepCycle();
      }
      store.freeUnlinked();
      check();
      CollectedHeap.finish(store.cycle());
      checkAllElseIsFreed();
      pinned.forEach(store::drop);
      pinned.clear();
      forgetUnreachable();
      CollectedHeap.finish(store.cycle());
      checkAllElseIsFreed();
      assertEquals(0, store.garbage());
      store.heap.close();
    }

    // ---- operations

    private void operate() {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> change(1);
        case 4, 5 -> change(1 + random.nextInt(8));
        case 6 -> hold(any());
        case 7, 8 -> dropOne();
        case 9 -> {
          if (snapshot == null && random.nextInt(4) == 0) {
            snapshot = store.heap.openSnapshot();
          }
        }
        default -> closeSnapshot();
      }
    }

    /** Changes some references in one transaction: to nothing, something that exists, or new. */
    private void change(int count) {
      Map<Long, long[]> after = new HashMap<>();
      Map<Long, Long> newIds = new HashMap<>();
      Set<Long> newPinned = new HashSet<>();
      store.heap.transaction(
          () -> {
            for (int i = 0; i < count; i++) {
              long holder = any();
              long[] slots =
                  after.computeIfAbsent(
                      holder, h -> references.getOrDefault(h, new long[0]).clone());
              int slot = random.nextInt(slots.length);
              slots[slot] = target(after, newIds, newPinned);
              store.set(holder, slot, slots[slot]);
            }
            return null;
          });
      references.putAll(after);
      ids.putAll(newIds);
      pinned.addAll(newPinned);
    }

    private long target(Map<Long, long[]> after, Map<Long, Long> newIds, Set<Long> newPinned) {
      int kind = random.nextInt(10);
      if (kind < 3) {
        return 0;
      }
      if (kind < 6) {
        long existing = any();
        return existing == store.root ? 0 : existing;
      }
      long id = nextId++;
      boolean isPinned = kind == 6;
      long node = isPinned ? store.newPinnedNode(id) : store.newNode(id);
      long[] slots = new long[CollectedHeap.REFERENCES];
      if (random.nextBoolean()) {
        long child = any();
        slots[0] = child == store.root ? 0 : child;
        store.set(node, 0, slots[0]);
      }
      after.put(node, slots);
      newIds.put(node, id);
      if (isPinned) {
        newPinned.add(node);
      }
      return isPinned && random.nextBoolean() ? 0 : node;
    }

    private void hold(long node) {
      if (node != store.root && pinned.add(node)) {
        store.heap.transaction(
            () -> {
              store.id(node);
              store.hold(node);
              return null;
            });
      }
    }

    private void dropOne() {
      if (!pinned.isEmpty()) {
        long node = new ArrayList<>(pinned).get(random.nextInt(pinned.size()));
        pinned.remove(node);
        store.drop(node);
      }
    }

    private void closeSnapshot() {
      HeapSnapshot open = snapshot;
      if (open != null) {
        open.close();
        snapshot = null;
      }
    }

    private long any() {
      List<Long> all = new ArrayList<>(references.keySet());
      return random.nextInt(4) == 0 ? store.root : all.get(random.nextInt(all.size()));
    }

    // ---- collections

    private void collect() {
      for (int steps = random.nextInt(3); steps > 0; steps--) {
        if (cycle == null && random.nextInt(10) == 0) {
          cycle = store.cycle();
        }
        stepCycle();
      }
      if (random.nextInt(3) == 0) {
        store.unlinked.step();
      }
    }

    private void stepCycle() {
      Cycle current = cycle;
      if (current != null && current.step() == Progress.DONE) {
        current.report();
        cycle = null;
        collections++;
      }
    }

    // ---- checks

    private Set<Long> reachable(Set<Long> from) {
      Set<Long> found = new HashSet<>();
      ArrayDeque<Long> next = new ArrayDeque<>(from);
      while (!next.isEmpty()) {
        long object = next.pop();
        if (found.add(object)) {
          Arrays.stream(references.getOrDefault(object, new long[0]))
              .filter(to -> to != 0)
              .forEach(next::push);
        }
      }
      return found;
    }

    private void forgetUnreachable() {
      Set<Long> from = new HashSet<>(pinned);
      from.add(store.root);
      Set<Long> reachable = reachable(from);
      references.keySet().retainAll(reachable);
      ids.keySet().retainAll(reachable);
    }

    /** What can be reached is whole. */
    private void check() {
      references.forEach(
          (object, slots) -> {
            for (int i = 0; i < slots.length; i++) {
              assertEquals(slots[i], store.get(object, i), "reference " + i + " of " + object);
            }
            if (object != store.root) {
              assertEquals(ids.get(object), store.id(object), "id of " + object);
            }
          });
      store.garbage(); // verifies
    }

    private void checkAllElseIsFreed() {
      check();
      assertEquals(
          references.size() - reachable(Set.of(store.root)).size(),
          store.garbage(),
          "what only Java objects reach is there, and nothing else");
    }
  }

  @Test
  void whatIsReachableIsWholeAndAllElseIsFreed() {
    Random random = Seed.random("whatIsReachableIsWholeAndAllElseIsFreed");
    int collections = 0;
    for (int i = 0; i < RUNS; i++) {
      Run run = new Run(random.nextLong());
      run.run();
      collections += run.collections;
    }
    assertEquals(true, collections > RUNS, "collections between transactions: " + collections);
  }
}
