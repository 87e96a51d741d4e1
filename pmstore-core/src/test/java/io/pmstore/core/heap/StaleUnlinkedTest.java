package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.tx.LinkListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects that were unlinked, linked again or freed and made anew, and unlinked again. */
class StaleUnlinkedTest {
  private static final int NODE = 3;
  private static final int NODE_SIZE = 48;
  private static final int LEFT = 8;
  private static final int VALUE = 40;

  private record Told(long object, long position) {}

  private final PinnedObjects objects = new PinnedObjects();
  private final Heap heap = new Heap(new ParallelEngine(), Durability.SYNC, h -> objects);
  private final Reclamation reclamation = heap.reclamation();
  private final List<Told> told = new ArrayList<>();
  private long root;

  private final class Listener implements LinkListener {
    @Override
    public boolean isMarking() {
      return false;
    }

    @Override
    public void linked(long object) {}

    @Override
    public void born(long object) {}

    @Override
    public void unlinked(long object, long position) {
      told.add(new Told(object, position));
    }

    @Override
    public void sharedUnlinked(int count) {}
  }

  StaleUnlinkedTest() {
    heap.referenceMaps().add(NODE, new ReferenceMap(new int[] {LEFT}, new int[0]));
    reclamation.listener(new Listener());
    heap.transaction(
        () -> {
          root = heap.allocate(NODE, NODE_SIZE);
          heap.directory().setRoot("root", root);
          return null;
        });
  }

  @AfterEach
  void close() {
    heap.close();
  }

  private void elsewhere(Runnable body) {
    FutureTask<?> task = new FutureTask<>(body, null);
    Thread.ofPlatform().start(task);
    try {
      task.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private boolean free(Told what) {
    return reclamation.freeUnlinked(new long[] {what.object}, 1, what.position);
  }

  @Test
  void whatASnapshotShowsIsKeptThoughItWasUnlinkedBeforeToo() {
    long node =
        heap.transaction(
            () -> {
              long made = heap.newObject(NODE, NODE_SIZE).identity();
              heap.putLong(made, VALUE, 7);
              heap.putLong(root, LEFT, made);
              objects.made(made);
              return made;
            });
    heap.putLong(root, LEFT, 0);
    Told before = told.getLast();
    heap.putLong(root, LEFT, node);
    heap.snapshot(
        () -> {
          elsewhere(
              () -> {
                heap.putLong(root, LEFT, 0);
                objects.drop(node);
                assertTrue(free(before));
              });
          elsewhere(() -> assertTrue(heap.read(() -> heap.isAllocated(node))));
          assertEquals(7, heap.getLong(heap.getLong(root, LEFT), VALUE));
          elsewhere(
              () -> {
                assertEquals(node, told.getLast().object, "it is told of again");
                assertFalse(free(told.getLast()));
              });
          return null;
        });
    assertTrue(free(told.getLast()));
    assertFalse(heap.transaction(() -> heap.isAllocated(node)));
  }
}
