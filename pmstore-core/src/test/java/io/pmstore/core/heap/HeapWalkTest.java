package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeapWalkTest {
  private static final int SHAPE = 3;

  private final ParallelEngine engine = new ParallelEngine();
  private final Heap heap =
      new Heap(engine, Durability.SYNC, h -> new EvolvingLayer(h, Layout.LARGER));
  private final SplittableRandom random = seeded();
  private final Map<Long, Long> visited = new HashMap<>();

  private static SplittableRandom seeded() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("HeapWalkTest: -Dpmstore.seed=" + seed);
    return new SplittableRandom(seed);
  }

  @AfterEach
  void close() {
    heap.close();
  }

  private HeapWalk walk(long from) {
    return new HeapWalk(
        heap,
        from,
        (home, header) -> assertEquals(null, visited.put(home, header), "visited twice: " + home));
  }

  /** An object of any size, sometimes one that takes several chunks. */
  private long create() {
    int size =
        switch (random.nextInt(8)) {
          case 0 -> random.nextInt(16, 300_000);
          case 1 -> random.nextInt(16, 3_000);
          default -> random.nextInt(16, 200);
        };
    return heap.transaction(() -> heap.allocate(SHAPE, size));
  }

  @Test
  void everyObjectIsVisitedOnceAtHome() {
    Map<Long, Long> expected = new HashMap<>();
    while (expected.size() < 1000 || heap.memory().size() <= HeapMemory.EXTENT_SIZE) {
      long object = create();
      expected.put(object, heap.getLong(object, 0));
    }
    for (int i = 0; i < 20; i++) {
      heap.transaction(() -> heap.blobs().create(new byte[random.nextInt(100)]));
      long home = heap.transaction(() -> Layout.FIRST.create(heap, 1));
      if (random.nextBoolean()) {
        Layout.LARGER.write(heap.evolving(home, Layout.LARGER.shapeId()), 2);
        assertEquals(Layout.FORWARDER, heap.shapeId(home));
      }
      expected.put(home, heap.getLong(heap.bodies().body(home), 0));
    }
    heap.directory().setRoot("a root", expected.keySet().iterator().next());
    HeapWalk walk = walk(0);
    double before = 0;
    assertEquals(0, walk.fraction());
    while (walk.step()) {
      assertTrue(walk.fraction() > before);
      before = walk.fraction();
      if (random.nextInt(100) == 0) {
        walk = walk(walk.position()); // as a later process does
        assertEquals(before, walk.fraction());
      }
    }
    assertEquals(1, walk.fraction());
    assertFalse(walk.step());
    assertEquals(expected, visited);
  }

  @Test
  void whatThrewIsVisitedAgain() {
    long object = create();
    boolean[] thrown = {false};
    HeapWalk walk =
        new HeapWalk(
            heap,
            0,
            (home, header) -> {
              if (!thrown[0]) {
                thrown[0] = true;
                throw new ArithmeticException();
              }
              visited.put(home, header);
            });
    assertThrows(ArithmeticException.class, () -> runToEnd(walk));
    runToEnd(walk);
    assertEquals(Set.of(object), visited.keySet());
  }

  private static void runToEnd(HeapWalk walk) {
    boolean more = true;
    while (more) {
      more = walk.step();
    }
  }

  @Test
  void objectsAreMadeAndMovedAndTheHeapGrowsMeanwhile() throws Exception {
    Set<Long> before = new HashSet<>();
    for (int i = 0; i < 3000; i++) {
      before.add(
          random.nextBoolean() ? create() : heap.transaction(() -> Layout.FIRST.create(heap, 1)));
    }
    AtomicBoolean walking = new AtomicBoolean(true);
    SplittableRandom choices = random.split();
    Long[] homes = before.toArray(Long[]::new);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> busy =
          other.submit(
              () -> {
                int made = 0;
                while (walking.get() || made < 200) {
                  made++;
                  long home = homes[choices.nextInt(homes.length)];
                  if (heap.shapeId(heap.bodies().body(home)) == Layout.FIRST.shapeId()) {
                    Layout.LARGER.write(heap.evolving(home, Layout.LARGER.shapeId()), 2);
                  }
                  if (made < 400) {
                    heap.transaction(() -> heap.allocate(SHAPE, choices.nextInt(16, 100_000)));
                  }
                }
              });
      runToEnd(walk(0));
      walking.set(false);
      busy.get();
    }
    assertTrue(visited.keySet().containsAll(before));
    visited.forEach(
        (home, header) -> {
          assertFalse(ObjectLayout.isBody(heap.getLong(home, 0)), "a body");
          assertTrue(
              Set.of(SHAPE, Layout.FIRST.shapeId(), Layout.LARGER.shapeId())
                  .contains(ObjectLayout.shapeId(header)),
              () -> "header 0x" + Long.toHexString(header));
        });
  }

  @Test
  void aDamagedDescriptorIsRefused() {
    long chunk = 900L << ExtentLayout.CHUNK_SHIFT;
    WriteSet writes = new WriteSet();
    writes.putLong(ExtentLayout.descriptorAddress(chunk), 0x77);
    engine.commit(writes);
    HeapWalk walk = walk(0);
    StoreDamagedException refused = assertThrows(StoreDamagedException.class, () -> runToEnd(walk));
    assertTrue(refused.getMessage().contains("address " + chunk), refused.getMessage());
    assertEquals(chunk, walk.position());
  }
}
