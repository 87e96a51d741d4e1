package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.Durability;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.space.ReferenceMap;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory goes away between the body of a transaction and its commit, which counts links. */
class FailureBeforeCommitTest {
  private static final int NODE = 3;
  private static final int NEXT = 8;

  @TempDir Path directory;

  @Test
  void anEngineThatHasFailedIsNamed() {
    MappedEngine engine = MappedEngine.open(directory, PmStoreOptions.defaults());
    InternalError fault = new InternalError("the disk does not answer");
    assertThrows(StoreFailedException.class, () -> linkAnd(engine, () -> engine.fail(fault)));
  }

  @Test
  void anEngineThatIsClosedIsNamed() {
    MappedEngine engine = MappedEngine.open(directory, PmStoreOptions.defaults());
    assertThrows(StoreClosedException.class, () -> linkAnd(engine, engine::close));
  }

  private static void linkAnd(MappedEngine engine, Runnable end) {
    Heap heap = new Heap(engine, Durability.SYNC, h -> new PinnedObjects());
    heap.referenceMaps().add(NODE, new ReferenceMap(new int[] {NEXT}, new int[0]));
    long root =
        heap.transaction(
            () -> {
              long made = heap.allocate(NODE, 16);
              heap.directory().setRoot("root", made);
              return made;
            });
    try {
      heap.transaction(
          () -> {
            heap.putLong(root, NEXT, root);
            end.run();
            return null;
          });
    } finally {
      try {
        heap.close();
      } catch (PmStoreException e) {
        assertEquals(StoreFailedException.class, e.getClass());
      }
    }
  }
}
