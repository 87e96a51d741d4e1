package io.pmstore.core.heap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.ReferenceMap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A heap that is fed another one's records has its roots, blobs and catalogue, and tells its layer.
 */
class HeapReplicaTest {
  private static final int SHAPE = 3;

  private final List<WriteSet> records = new ArrayList<>();
  private final List<Long> forgotten = new ArrayList<>();
  private int catalogueChanges;

  private final Heap source =
      new Heap(
          new ParallelEngine() {
            @Override
            protected void appended(WriteSet record) {
              records.add(WriteSet.decode(record.encode()));
            }
          },
          Durability.SYNC,
          _ -> new NoObjects());
  private final Heap copy =
      new Heap(
          new ParallelEngine(),
          Durability.SYNC,
          _ ->
              new NoObjects() {
                @Override
                public void forget(long address) {
                  forgotten.add(address);
                }

                @Override
                public void catalogueChanged() {
                  catalogueChanges++;
                }
              });

  HeapReplicaTest() {
    records.clear(); // both have written their superblocks
    copy.replica().begin();
  }

  @AfterEach
  void close() {
    source.close();
    copy.close();
  }

  private void feed() {
    records.forEach(copy.replica()::apply);
    records.clear();
  }

  @Test
  void rootsBlobsAndCatalogueFollow() {
    byte[] large = "x".repeat(3_000_000).getBytes(UTF_8); // its bytes are lent to the write set
    long blob = source.transaction(() -> source.blobs().create(large));
    source.directory().setRoot("root", blob);
    source
        .directory()
        .addCatalogueEntries(List.of("first".getBytes(UTF_8), "second".getBytes(UTF_8)));
    feed();
    assertEquals(blob, copy.directory().root("root"));
    assertArrayEquals(large, copy.read(() -> copy.blobs().read(blob)));
    assertEquals(2, copy.directory().catalogueEntries().size());
    assertTrue(catalogueChanges > 0);
    assertTrue(copy.isReadOnly());
    assertThrows(StoreReadOnlyException.class, () -> copy.directory().setRoot("other", blob));
    assertThrows(StoreReadOnlyException.class, copy::checkWritable);
  }

  @Test
  void theLayerForgetsWhatIsFreed() {
    source.referenceMaps().add(SHAPE, new ReferenceMap(new int[] {8}, new int[0]));
    long object = source.transaction(this::allocatedAndLinked);
    feed();
    assertEquals(List.of(), forgotten);
    long[] unreached = {object};
    source.directory().setRoot("root", 0);
    assertTrue(source.reclamation().freeUnreached(unreached, 1, source.reclamation().position()));
    feed();
    assertEquals(List.of(object), forgotten);
  }

  private long allocatedAndLinked() {
    long object = source.allocate(SHAPE, 40);
    source.directory().setRoot("root", object);
    return object;
  }

  @Test
  void aReplicaThatEndsIsAStoreLikeAnyOther() {
    source.directory().setRoot("root", source.transaction(() -> source.allocate(SHAPE, 40)));
    feed();
    copy.replica().end();
    assertFalse(copy.isReadOnly());
    long made = copy.transaction(() -> copy.allocate(SHAPE, 40));
    copy.directory().setRoot("other", made);
    assertEquals(made, copy.directory().root("other"));
    assertTrue(made != copy.directory().root("root"));
  }
}
