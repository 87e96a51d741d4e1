package io.pmstore.core.crash;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.Layout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The checked state of pairs of upgraded objects found in a heap: each object is wholly of one
 * shape and of one state, both of a pair have the same state, and the heap has neither garbage nor
 * objects in free space.
 *
 * @param numbers of the states of the pairs; empty if there are none yet
 */
record UpgradeState(List<Long> numbers) {
  static final int PAIRS = 3;

  private static final String ROOT = "pairs";
  private static final int SHAPE = 1;
  private static final int HOMES_OFFSET = 8;

  /** Makes the pairs, in a heap without any. */
  static void create(Heap heap) {
    heap.transaction(
        () -> {
          if (heap.directory().root(ROOT) == 0) {
            long homes = heap.allocate(SHAPE, HOMES_OFFSET + 8 * 2 * PAIRS);
            for (int i = 0; i < 2 * PAIRS; i++) {
              heap.putLong(homes, HOMES_OFFSET + 8 * i, Layout.FIRST.create(heap, 0));
            }
            heap.directory().setRoot(ROOT, homes);
          }
          return true;
        });
  }

  /** New handles of all objects: 2n and 2n + 1 are a pair. */
  static List<HeapObject> handles(Heap heap, Layout now) {
    long homes = heap.directory().root(ROOT);
    List<HeapObject> handles = new ArrayList<>();
    for (int i = 0; homes != 0 && i < 2 * PAIRS; i++) {
      handles.add(heap.evolving(heap.getLong(homes, HOMES_OFFSET + 8 * i), now.shapeId()));
    }
    return handles;
  }

  /** Reads a heap that nobody changes. */
  static UpgradeState read(Heap heap, Layout now) {
    Set<Long> reachable = new HashSet<>();
    BankState.addRoots(heap, reachable);
    if (heap.directory().root(ROOT) != 0) {
      reachable.add(heap.directory().root(ROOT));
    }
    List<Long> numbers = new ArrayList<>();
    for (HeapObject object : handles(heap, now)) {
      numbers.add(now.read(object));
      reachable.add(object.identity());
      reachable.add(object.address());
    }
    HeapTiling.check(heap.memory(), reachable);
    List<Long> ofPairs = new ArrayList<>();
    for (int i = 0; i < numbers.size(); i += 2) {
      if (!numbers.get(i).equals(numbers.get(i + 1))) {
        throw new AssertionError("pair %d is half written: %s".formatted(i / 2, numbers));
      }
      ofPairs.add(numbers.get(i));
    }
    return new UpgradeState(ofPairs);
  }
}
