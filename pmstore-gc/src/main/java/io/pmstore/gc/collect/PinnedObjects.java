package io.pmstore.gc.collect;

import io.pmstore.core.heap.Heap;
import java.util.Arrays;

/**
 * The objects that live Java objects pinned when a collection began: its starting points besides
 * the roots. The object layer's list may contain objects that do not exist yet or any more: one
 * that a transaction is about to create, or a freed one.
 */
final class PinnedObjects {
  private static final int BATCH = 256;

  private final Heap heap;
  private long[] addresses = new long[64];
  private int left;
  private final long[] found = new long[BATCH];
  private int count;

  private PinnedObjects(Heap heap) {
    this.heap = heap;
  }

  /** Lists the objects that are pinned now. */
  static PinnedObjects of(Heap heap) {
    PinnedObjects pinned = new PinnedObjects(heap);
    heap.layer().forEachPinned(pinned::add);
    return pinned;
  }

  private void add(long object) {
    if (left == addresses.length) {
      addresses = Arrays.copyOf(addresses, left * 2);
    }
    addresses[left++] = object;
  }

  /** Marks a batch of them for tracing, if they are allocated. Returns false if none is left. */
  boolean reach(Marker marker) {
    int end = left;
    int first = Math.max(0, end - BATCH);
    heap.read(
        () -> {
          count = 0; // the body may run more than once
          for (int i = first; i < end; i++) {
            if (heap.isAllocated(addresses[i])) {
              found[count++] = addresses[i];
            }
          }
          return count;
        });
    for (int i = 0; i < count; i++) {
      marker.reach(found[i]);
    }
    left = first;
    return left > 0;
  }
}
