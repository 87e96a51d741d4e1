package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import org.junit.jupiter.api.Test;

/** The cost of creating a store. */
class NewStoreTest {
  /** One commit is one barrier, and on some disks that is ten milliseconds. */
  @Test
  void aNewStoreIsMadeInTwoCommits() {
    MemoryEngine engine = new MemoryEngine();
    open(engine);
    assertEquals(2, engine.position(), "the superblock; the shapes of all nodes");
    open(engine);
    assertEquals(2, engine.position(), "nothing is missing any more");
  }

  private static void open(MemoryEngine engine) {
    new Heap(
        engine,
        Durability.SYNC,
        heap -> new ProxyLayerProvider().open(heap, PmStoreOptions.defaults()));
  }
}
