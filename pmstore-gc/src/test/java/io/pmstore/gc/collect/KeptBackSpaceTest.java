package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.catalogue.Shape;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An object that a collection is about to trace is freed, and another size class wants its chunk.
 */
@Timeout(120)
class KeptBackSpaceTest {
  private static final int DYING = 2000; // some chunks full
  private static final int LIVING = 3000; // more than a step traces
  private static final int WIDE = 200;
  private static final int WIDE_SIZE = 3000;

  private final CollectedHeap store = new CollectedHeap();
  private final Shape wide = store.store.define("com.acme.Wide", 1, WIDE_SIZE);

  @AfterEach
  void close() {
    store.heap.close();
  }

  /** Makes nodes that lie side by side; each refers to the next, and the first one of all. */
  private long[] ring(int count) {
    return store.heap.transaction(
        () -> {
          long[] nodes = new long[count];
          for (int i = 0; i < count; i++) {
            nodes[i] = store.newNode(i);
          }
          for (int i = 0; i < count; i++) {
            if (i != count / 2 - 1) { // the one in the middle is the first of the list
              store.set(nodes[i], 0, nodes[(i + 1) % count]);
            }
          }
          store.set(store.root, count == DYING ? 0 : 1, nodes[count / 2]);
          return nodes;
        });
  }

  /** Takes more space than was freed, and fills it with what is no header of an object. */
  private Object fillWithNoHeaders() {
    long last = 0;
    for (int i = 0; i < WIDE; i++) {
      long made = store.heap.allocate(wide.id(), WIDE_SIZE);
      store.set(made, 0, last);
      for (int offset = 16; offset < WIDE_SIZE; offset += Long.BYTES) {
        store.heap.putLong(made, offset, 0x7777_7777_7777_7777L);
      }
      last = made;
    }
    store.set(store.root, 2, last);
    return last;
  }

  @Test
  void aPlaceThatWaitsToBeTracedIsNotGivenToAnother() {
    ring(DYING);
    ring(LIVING);
    Cycle cycle = store.cycle();
    for (int i = 0; i < 3; i++) { // begin, Java objects, a part of what is to be traced
      assertEquals(Progress.MORE, cycle.step());
    }
    store.set(store.root, 0, 0);
    store.freeUnlinked();
    assertTrue(store.heap.reclamation().freed().objects() >= DYING, "nothing else is to be done");
    while (store.heap.reclamation().releaseEmptyChunks()) {
      // a bounded number at a time
    }
    store.heap.transaction(() -> fillWithNoHeaders());
    CollectedHeap.finish(cycle);
    CollectedHeap.finish(store.cycle());
    assertEquals(0, store.garbage());
  }
}
