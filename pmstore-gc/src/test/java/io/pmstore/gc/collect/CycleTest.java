package io.pmstore.gc.collect;

import static io.pmstore.gc.collect.CollectedHeap.finish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GcReport;
import io.pmstore.StoreDamagedException;
import io.pmstore.VerificationReport;
import io.pmstore.core.heap.HeapSnapshot;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One collection, driven step by step. */
@Timeout(120)
class CycleTest {
  private final CollectedHeap store = new CollectedHeap();

  @AfterEach
  void close() {
    store.heap.close();
  }

  /** Links this many rings of two nodes to the root and unlinks them again. */
  private void makeGarbage(int rings) {
    for (int made = 0; made < rings; ) {
      int until = Math.min(rings, made + 1000);
      int from = made;
      long last =
          store.heap.transaction(
              () -> {
                long before = 0;
                for (int i = from; i < until; i++) {
                  long one = store.newNode(i);
                  long other = store.newNode(i);
                  store.set(one, 0, other);
                  store.set(other, 0, one);
                  store.set(one, 1, before);
                  before = one;
                }
                store.set(store.root, 0, before);
                return before;
              });
      assertTrue(last != 0);
      store.set(store.root, 0, 0);
      made = until;
    }
  }

  @Test
  void ringsThatNothingReachesAreFreedAndReported() {
    long kept =
        store.heap.transaction(
            () -> {
              long node = store.newNode(1);
              store.set(node, 0, node);
              store.set(store.root, 1, node);
              return node;
            });
    makeGarbage(2000);
    VerificationReport before = store.store.verify();
    assertEquals(4000, before.garbageObjects());

    GcReport report = finish(store.cycle());
    VerificationReport after = store.store.verify();
    assertTrue(after.isSound(), after::toString);
    assertEquals(0, after.garbageObjects());
    assertEquals(before.objects(), after.objects());
    assertEquals(4000, report.freedObjects());
    assertEquals(before.garbageBytes(), report.freedBytes());
    assertEquals(after.objects(), report.liveObjects());
    assertEquals(GcReport.Cause.REQUESTED, report.cause());
    assertEquals(kept, store.get(kept, 0));
    assertEquals(0, finish(store.cycle()).freedObjects());
  }

  @Test
  void spaceThatASweepFreesIsGivenOutToOthersMeanwhile() {
    makeGarbage(2000);
    Cycle cycle = store.cycle();
    long made = 0;
    Progress progress = cycle.step();
    while (progress == Progress.MORE) {
      push(made++);
      progress = cycle.step();
    }
    assertEquals(Progress.DONE, progress);
    assertTrue(made > 16, "steps of a sweep of 4000 objects: " + made);
    assertEquals(0, store.garbage());
    checkPushed(made);
  }

  @Test
  void whatMovesBehindTheMarkerSurvives() {
    long[] nodes =
        store.heap.transaction(
            () -> {
              long hidden = store.newNode(7);
              long holder = store.newNode(8);
              store.set(holder, 0, hidden);
              store.set(holder, 1, hidden); // shared: not freed by the commit that cuts it
              long before = holder;
              for (int i = 0; i < 5000; i++) { // some steps after the root it is traced
                long node = store.newNode(9);
                store.set(node, 0, before);
                before = node;
              }
              store.set(store.root, 3, before);
              return new long[] {holder, hidden};
            });
    // At whatever step it moves: to the root, which is traced early; back again after the last one.
    for (int at = 0; ; at++) {
      Cycle cycle = store.cycle();
      Progress progress = Progress.MORE;
      for (int i = 0; i < at && progress == Progress.MORE; i++) {
        progress = cycle.step();
      }
      boolean over = progress == Progress.DONE;
      if (!over) {
        store.heap.transaction(
            () -> {
              store.set(store.root, 4, nodes[1]);
              store.set(nodes[0], 0, 0);
              store.set(nodes[0], 1, 0);
              return null;
            });
        finish(cycle);
        assertEquals(0, store.garbage());
        store.heap.transaction(
            () -> {
              store.set(nodes[0], 0, nodes[1]);
              store.set(store.root, 4, 0);
              return null;
            });
      }
      assertEquals(0, store.garbage());
      assertEquals(7, store.id(nodes[1]));
      if (over) {
        assertTrue(at >= 8, "steps of a collection: " + at);
        return;
      }
    }
  }

  @Test
  void whatJavaHoldsSurvivesWithAllThatItReaches() {
    long pinned =
        store.heap.transaction(
            () -> {
              long node = store.newPinnedNode(1);
              long child = store.newNode(2);
              store.set(node, 0, child);
              store.set(child, 0, node);
              return node;
            });
    assertEquals(0, finish(store.cycle()).freedObjects());
    assertEquals(2, store.id(store.get(pinned, 0)));
    store.drop(pinned);
    assertEquals(2, finish(store.cycle()).freedObjects());
    assertEquals(0, store.garbage());
  }

  @Test
  void anObjectThatATransactionIsMakingIsNotTraced() throws Exception {
    CountDownLatch made = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicLong node = new AtomicLong();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () ->
                    store.heap.transaction(
                        () -> {
                          node.set(store.newPinnedNode(5));
                          made.countDown();
                          await(goOn);
                          store.set(store.root, 5, node.get());
                          return null;
                        }));
    made.await();
    Cycle cycle = store.cycle();
    try {
      assertEquals(Progress.WAITS, stepWhileMore(cycle), "for the transaction that runs");
    } finally {
      goOn.countDown();
      writer.join();
    }
    finish(cycle);
    store.drop(node.get());
    assertEquals(0, store.garbage());
    assertEquals(5, store.id(store.get(store.root, 5)));
  }

  @Test
  void whatAnOldSnapshotGivesToJavaSurvives() throws Exception {
    long[] nodes =
        store.heap.transaction(
            () -> {
              long one = store.newNode(1);
              long other = store.newNode(2);
              store.set(one, 0, other);
              store.set(other, 0, one);
              store.set(store.root, 6, one);
              return new long[] {one, other};
            });
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((thread, thrown) -> failure.set(thrown))
            .start(
                () ->
                    store.heap.snapshot(
                        () -> {
                          open.countDown();
                          await(goOn);
                          long one = store.get(store.root, 6);
                          store.hold(store.get(one, 0));
                          return null;
                        }));
    open.await();
    store.set(store.root, 6, 0);
    Cycle cycle = store.cycle();
    try {
      assertEquals(Progress.WAITS, stepWhileMore(cycle), "for the snapshot");
      assertEquals(Progress.WAITS, cycle.step());
    } finally {
      goOn.countDown();
      reader.join();
    }
    assertEquals(null, failure.get());
    assertEquals(0, finish(cycle).freedObjects());
    assertEquals(2, store.id(nodes[1]));
    assertEquals(1, store.id(store.get(nodes[1], 0)));
    store.drop(nodes[1]);
    assertEquals(2, finish(store.cycle()).freedObjects());
  }

  private static Progress stepWhileMore(Cycle cycle) {
    Progress progress = cycle.step();
    while (progress == Progress.MORE) {
      progress = cycle.step();
    }
    return progress;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aSnapshotThatIsOpenedDuringASweepHoldsItUp() {
    makeGarbage(2000);
    Cycle cycle = store.cycle();
    long freedBefore = store.heap.reclamation().freed().objects();
    while (store.heap.reclamation().freed().objects() == freedBefore) {
      assertEquals(Progress.MORE, cycle.step());
    }
    store.set(store.root, 0, 0);
    HeapSnapshot snapshot = store.heap.openSnapshot();
    Progress progress = stepWhileMore(cycle);
    snapshot.close();
    if (progress != Progress.DONE) {
      finish(cycle);
    }
    assertEquals(0, store.garbage());
  }

  /** No thread that looks at unreached objects may wait for a sweep that has ended. */
  @Test
  void aSweepWhoseEndFailsHoldsNoLock() {
    makeGarbage(10);
    Cycle cycle = store.cycle();
    while (!cycle.isSweeping()) {
      assertEquals(Progress.MORE, cycle.step());
    }
    store.unlinked.add(-8, 1); // no heap has it
    assertThrows(StoreDamagedException.class, () -> finish(cycle));
    cycle.abandon();
    assertFalse(((ReentrantReadWriteLock) store.heap.reclamation().unreached()).isWriteLocked());
    makeGarbage(10);
    assertEquals(20, finish(store.cycle()).freedObjects());
  }

  /**
   * What it did not come to free refers to what it has freed, and new objects take that space. The
   * same is so after a crash.
   */
  @Test
  void oneThatIsGivenUpAnywhereLeavesTheRestToTheNext() {
    int nodes = 0;
    for (int steps = 0; ; steps++) {
      makeGarbage(300);
      Cycle cycle = store.cycle();
      Progress progress = Progress.MORE;
      for (int i = 0; i < steps && progress == Progress.MORE; i++) {
        progress = cycle.step();
      }
      cycle.abandon();
      assertFalse(store.links.isMarking());
      for (int i = 0; i < 800; i++) {
        push(nodes++);
      }
      finish(store.cycle());
      assertEquals(0, store.garbage());
      checkPushed(nodes);
      if (progress == Progress.DONE) {
        assertTrue(steps > 5);
        break;
      }
    }
  }

  /** Puts a node before those that are behind the root already: each is referred to once. */
  private void push(long id) {
    store.heap.transaction(
        () -> {
          long node = store.newNode(id);
          store.set(node, 0, store.get(store.root, 2));
          store.set(store.root, 2, node);
          return null;
        });
  }

  private void checkPushed(long count) {
    long node = store.get(store.root, 2);
    for (long id = count - 1; id >= 0; id--, node = store.get(node, 0)) {
      assertEquals(id, store.id(node));
    }
    assertEquals(0, node);
  }

  @Test
  void whatOneCommitCannotFreeIsFreedInBoundedSteps() {
    int children = 20_000;
    for (int i = 0; i < children; i++) {
      int id = i;
      store.heap.transaction(
          () -> {
            long node = store.newNode(id);
            long twig = store.newNode(id);
            store.set(node, 0, store.get(store.root, 11));
            store.set(node, 1, twig);
            store.set(store.root, 11, node);
            return null;
          });
    }
    long before = store.heap.reclamation().freed().objects();
    store.set(store.root, 11, 0);
    long freed = store.heap.reclamation().freed().objects() - before;
    assertTrue(freed > 0 && freed < 1000, "freed by one commit: " + freed);
    while (store.unlinked.step() == Progress.MORE) {
      long now = store.heap.reclamation().freed().objects() - before;
      assertTrue(now - freed < 2000, "freed in one step: " + (now - freed));
      freed = now;
    }
    assertEquals(0, store.garbage());
    assertEquals(2 * children, store.heap.reclamation().freed().objects() - before);
  }

  @Test
  void aDamagedReferenceEndsItBeforeAnythingIsFreed() {
    long node =
        store.heap.transaction(
            () -> {
              long made = store.newNode(1);
              store.set(store.root, 8, made);
              return made;
            });
    makeGarbage(10);
    long good = store.store.engine.memory().getLong(node + 8);
    for (long bad : new long[] {1L << 50, -8, node + 24}) {
      store.store.damage(node + 8, bad);
      if (bad == node + 24) {
        store.store.damage(node + 24, 0x7777); // where a header is expected
      }
      Cycle cycle = store.cycle();
      assertThrows(StoreDamagedException.class, () -> finish(cycle), "address " + bad);
      cycle.abandon();
    }
    store.store.damage(node + 8, good);
    store.store.damage(node + 24, 0);
    assertEquals(20, store.garbage());
    assertEquals(20, finish(store.cycle()).freedObjects());
  }

  @Test
  void lostReferencesToSharedObjectsAreCounted() {
    long node =
        store.heap.transaction(
            () -> {
              long made = store.newNode(1);
              store.set(store.root, 9, made);
              store.set(store.root, 10, made);
              return made;
            });
    for (long lost = 0; lost < CollectionTrigger.LOST_MIN; lost++) {
      assertFalse(store.trigger.isDue(), lost + " references lost");
      store.set(store.root, 10, 0);
      store.set(store.root, 10, node);
    }
    assertTrue(store.trigger.isDue());
  }
}
