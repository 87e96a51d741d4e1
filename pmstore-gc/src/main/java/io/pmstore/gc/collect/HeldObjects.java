package io.pmstore.gc.collect;

import io.pmstore.core.heap.Heap;
import java.util.Arrays;

/**
 * The objects of the heap for which Java objects stand, as they were when a collection began: what
 * it starts from beside the roots. The layer's list may have others too, which are not there (yet,
 * or any more): an object that a transaction is about to make, or one that was freed.
 */
final class HeldObjects {
  private static final int BATCH = 256;

  private final Heap heap;
  private long[] addresses = new long[64];
  private int left;
  private final long[] found = new long[BATCH];
  private int count;

  private HeldObjects(Heap heap) {
    this.heap = heap;
  }

  /** Lists those that are held now. */
  static HeldObjects of(Heap heap) {
    HeldObjects held = new HeldObjects(heap);
    heap.layer().forEachHeld(held::add);
    return held;
  }

  private void add(long object) {
    if (left == addresses.length) {
      addresses = Arrays.copyOf(addresses, left * 2);
    }
    addresses[left++] = object;
  }

  /**
   * Has some of them traced that are allocated.
   *
   * @return false if none is left
   */
  boolean reach(Marker marker) {
    int end = left;
    int first = Math.max(0, end - BATCH);
    heap.read(
        () -> {
          count = 0; // this may run again
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
