package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.DequeChunks.End;

/** Checks the invariants of {@link DequeChunks} on the bytes. */
final class DequeCheck {
  private DequeCheck() {}

  static void check(TestStore store, PersistentDeque<?> deque) {
    store.heap.read(
        () -> {
          check(store, TestStore.address(deque));
          return true;
        });
  }

  private static void check(TestStore store, long deque) {
    Heap heap = store.heap;
    long first = heap.getLong(deque, DequeShapes.FIRST_END);
    long last = heap.getLong(deque, DequeShapes.LAST_END);
    long at = heap.getLong(first, DequeShapes.END_CHUNK);
    long end = heap.getLong(last, DequeShapes.END_CHUNK);
    assertEquals(at == 0, end == 0, "both ends have a chunk, or none has");
    long elements = 0;
    long previous = 0;
    long serial = at == 0 ? 0 : heap.getLong(at, DequeShapes.CHUNK_SERIAL) - 1;
    boolean only = at == end;
    while (at != 0) {
      assertTrue(store.space.shapes().deques().isChunk(heap.shapeId(at)));
      assertEquals(
          heap.getLong(deque, DequeShapes.MARK),
          heap.getLong(at, DequeShapes.CHUNK_MARK),
          "the mark of a chunk");
      assertEquals(previous, heap.getLong(at, DequeShapes.CHUNK_PREVIOUS));
      long next = heap.getLong(at, DequeShapes.CHUNK_SERIAL);
      assertTrue(next > serial, "serials grow");
      serial = next;
      elements += cells(heap, at, only);
      previous = at;
      at = heap.getLong(at, DequeShapes.CHUNK_NEXT);
    }
    assertEquals(previous, end, "the last chunk is at the last end");
    DequeChunks chunks = new DequeChunks(store.space);
    assertEquals(elements, chunks.size(deque));
    assertEquals(elements == 0, chunks.isEmpty(deque));
    assertEquals(elements == 0, chunks.at(deque, End.LAST) == 0);
  }

  private static int cells(Heap heap, long chunk, boolean mayBeEmpty) {
    int capacity = DequeShapes.chunkCapacity(heap.size(chunk));
    int first = heap.getInt(chunk, DequeShapes.CHUNK_FIRST);
    int end = heap.getInt(chunk, DequeShapes.CHUNK_END);
    assertTrue(0 <= first && first <= end && end <= capacity, first + " to " + end);
    int elements = 0;
    for (int i = 0; i < capacity; i++) {
      long word = heap.getLong(chunk, DequeShapes.chunkCell(i));
      if (i < first || i >= end) {
        assertEquals(0, word, "a cell that is not in use");
      } else if (i == first || i == end - 1) {
        assertNotEquals(0, word, "the cell at an edge");
      }
      if (word == 0) {
        assertEquals(0, heap.getLong(chunk, DequeShapes.chunkCell(i) + 8));
      } else {
        elements++;
      }
    }
    assertTrue(elements > 0 || mayBeEmpty, "an empty chunk beside others");
    return elements;
  }
}
