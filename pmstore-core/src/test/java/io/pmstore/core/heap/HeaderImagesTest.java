package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Durability;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.space.ReferenceMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Snapshots of objects that others link and unlink: of which only the headers change. */
@Timeout(60)
class HeaderImagesTest {
  private static final int NODE = 3;
  private static final int NODE_SIZE = 48;
  private static final int LEFT = 8;
  private static final int RIGHT = 16;
  private static final int VALUE = 40;

  private final Heap heap = new Heap(new ParallelEngine(), Durability.SYNC, h -> new NoObjects());
  private long root;
  private long node;

  HeaderImagesTest() {
    heap.referenceMaps().add(NODE, new ReferenceMap(new int[] {LEFT, RIGHT}, new int[0]));
    heap.transaction(
        () -> {
          root = heap.allocate(NODE, NODE_SIZE);
          heap.directory().setRoot("root", root);
          node = heap.allocate(NODE, NODE_SIZE);
          heap.putLong(root, LEFT, node);
          heap.putLong(node, VALUE, 1);
          return null;
        });
  }

  @AfterEach
  void close() {
    heap.close();
  }

  private static void elsewhere(Callable<?> body) {
    FutureTask<?> task = new FutureTask<>(body);
    Thread.ofPlatform().start(task);
    try {
      task.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void put(long object, int offset, long value) {
    elsewhere(
        () ->
            heap.transaction(
                () -> {
                  heap.putLong(object, offset, value);
                  return null;
                }));
  }

  @Test
  void anObjectThatIsOnlyLinkedIsShownAsAWhole() {
    heap.snapshot(
        () -> {
          elsewhere(
              () ->
                  heap.snapshot( // whose images this one gets when it ends
                      () -> {
                        put(root, RIGHT, node);
                        return null;
                      }));
          assertEquals(1, heap.getLong(node, VALUE));
          return null;
        });
  }

  @Test
  void anObjectThatIsLinkedAndThenWrittenIsShownAsItWas() {
    heap.snapshot(
        () -> {
          put(root, RIGHT, node);
          put(node, VALUE, 2);
          assertEquals(1, heap.getLong(node, VALUE));
          elsewhere(
              () ->
                  heap.snapshot(
                      () -> {
                        put(node, VALUE, 3);
                        put(root, LEFT, 0);
                        assertEquals(2, heap.getLong(node, VALUE));
                        return null;
                      }));
          assertEquals(1, heap.getLong(node, VALUE));
          return null;
        });
    assertEquals(3, heap.getLong(node, VALUE));
  }

  @Test
  void anObjectThatLosesItsOnlyReferenceIsShownAsAWhole() {
    heap.snapshot(
        () -> {
          put(root, LEFT, 0);
          assertEquals(node, heap.getLong(root, LEFT));
          assertEquals(1, heap.getLong(node, VALUE));
          return null;
        });
  }
}
