package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.tx.LinkListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReclamationTest {
  private static final int NODE = 3;
  private static final int NODE_SIZE = 48;
  private static final int LEFT = 8;
  private static final int RIGHT = 16;
  private static final int CELL = 24;
  private static final int BLOB_TAG = ReferenceMap.CELL_ADDRESS | 10;

  private final PinnedObjects objects = new PinnedObjects();
  private final Heap heap = new Heap(new ParallelEngine(), Durability.SYNC, h -> objects);
  private final Reclamation reclamation = heap.reclamation();
  private final Told told = new Told();
  private long root;

  /** What a collector would hear. */
  private static final class Told implements LinkListener {
    final List<Long> unlinked = new ArrayList<>();
    final TreeSet<Long> marked = new TreeSet<>();
    boolean marking;
    int sharedLosses;

    @Override
    public boolean isMarking() {
      return marking;
    }

    @Override
    public void linked(long object) {
      marked.add(object);
    }

    @Override
    public void born(long object) {
      marked.add(object);
    }

    @Override
    public void unlinked(long object, long position) {
      unlinked.add(object);
    }

    @Override
    public void sharedUnlinked(int count) {
      sharedLosses += count;
    }
  }

  @BeforeEach
  void makeRoot() {
    heap.referenceMaps().add(NODE, new ReferenceMap(new int[] {LEFT, RIGHT}, new int[] {CELL}));
    reclamation.listener(told);
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

  private long node() {
    return heap.allocate(NODE, NODE_SIZE);
  }

  private void link(long object, int offset, long target) {
    heap.putLong(object, offset, target);
  }

  private void putBlob(long object, int length) {
    long blob = heap.blobs().create(new byte[length]);
    heap.putLong(object, CELL, BLOB_TAG);
    heap.putLong(object, CELL + 8, blob);
  }

  private TreeSet<Long> allocated() {
    TreeSet<Long> all = new TreeSet<>();
    for (long chunk = 0; chunk < heap.memory().size(); chunk += ExtentLayout.CHUNK_SIZE) {
      reclamation.forEachAllocated(chunk, (object, header, bytes) -> all.add(object));
    }
    return all;
  }

  private int links(long object) {
    return ObjectLayout.links(heap.getLong(object, 0));
  }

  @Test
  void whatLosesItsOnlyReferenceIsFreedWithAllThatItAloneRefersTo() {
    TreeSet<Long> before = allocated();
    heap.transaction(
        () -> {
          long a = node();
          long b = node();
          link(root, LEFT, a);
          link(a, LEFT, b);
          putBlob(a, 100);
          putBlob(b, 20 << 20); // a long one, in parts, in runs of chunks
          return null;
        });
    assertTrue(allocated().size() > before.size() + 4);
    link(root, LEFT, 0);
    assertEquals(before, allocated());
    assertEquals(List.of(), told.unlinked);
  }

  @Test
  void aBytesStringThatIsReplacedIsFreed() {
    heap.transaction(
        () -> {
          putBlob(root, 50);
          return null;
        });
    int before = allocated().size();
    for (int i = 0; i < 1000; i++) {
      heap.transaction(
          () -> {
            putBlob(root, 40); // never committed
            putBlob(root, 50);
            return null;
          });
    }
    assertEquals(before, allocated().size());
    assertEquals(ExtentLayout.CHUNKS * (long) ExtentLayout.CHUNK_SIZE, heap.memory().size());
  }

  @Test
  void whatMovesInOneTransactionStays() {
    long a = heap.transaction(this::node0);
    heap.transaction(
        () -> {
          link(root, RIGHT, a);
          link(root, LEFT, 0);
          return null;
        });
    assertTrue(allocated().contains(a));
    assertEquals(ObjectLayout.FLAG_SINGLE, links(a));
    link(root, RIGHT, 0);
    assertFalse(allocated().contains(a));
  }

  private long node0() {
    long a = node();
    link(root, LEFT, a);
    return a;
  }

  @Test
  void whatWasReferredToTwiceIsLeftToTracing() {
    long a = heap.transaction(this::node0);
    link(root, RIGHT, a);
    link(root, RIGHT, 0);
    link(root, LEFT, 0);
    assertTrue(allocated().contains(a));
    assertEquals(0, links(a));
    assertEquals(2, told.sharedLosses);
    assertTrue(reclamation.freeUnreached(new long[] {a}, 1, reclamation.position()));
    assertFalse(allocated().contains(a));
  }

  @Test
  void whatAJavaObjectStandsForIsFreedWhenItIsGone() {
    long a = heap.transaction(this::node0);
    long b = heap.transaction(this::nodeBelowLeft);
    objects.made(a);
    link(root, LEFT, 0);
    assertEquals(List.of(a), told.unlinked);
    assertEquals(ObjectLayout.FLAG_UNLINKED, links(a));
    assertTrue(reclamation.freeUnlinked(new long[] {a}, 1, reclamation.position()));
    assertEquals(List.of(a, a), told.unlinked);
    assertTrue(allocated().containsAll(List.of(a, b)));
    objects.drop(a);
    assertTrue(reclamation.freeUnlinked(new long[] {a, b, a, 17, -8}, 5, reclamation.position()));
    assertFalse(allocated().contains(a));
    assertFalse(allocated().contains(b));
  }

  private long nodeBelowLeft() {
    long b = node();
    link(heap.getLong(root, LEFT), RIGHT, b);
    return b;
  }

  @Test
  void whatGetsAJavaObjectInTheTransactionThatMadeItStays() {
    long made =
        heap.transaction(
            () -> {
              long a = node();
              heap.putLong(root, LEFT, a);
              objects.take(heap, a);
              heap.putLong(root, LEFT, 0);
              return a;
            });
    assertTrue(allocated().contains(made));
    assertEquals(List.of(made), told.unlinked);
    link(root, LEFT, made);
    assertEquals(ObjectLayout.FLAG_SINGLE, links(made));
    objects.drop(made);
    link(root, LEFT, 0);
    assertFalse(allocated().contains(made));
  }

  @Test
  void whatGetsAJavaObjectWhileItIsFreedStays() {
    long a = heap.transaction(this::node0);
    objects.afterNextLook(() -> objects.made(a)); // before the commit has its locks
    link(root, LEFT, 0);
    assertTrue(allocated().contains(a));
    assertEquals(List.of(a), told.unlinked);
  }

  @Test
  void aReferenceToNoObjectIsDamageAndNoEndlessLoop() {
    long a = heap.transaction(this::node0);
    long b = heap.transaction(this::nodeBelowLeft);
    // What nothing may reach is taken away although something does.
    assertTrue(reclamation.freeUnreached(new long[] {b}, 1, reclamation.position()));
    StoreDamagedException e = assertThrows(StoreDamagedException.class, () -> link(root, LEFT, 0));
    assertTrue(e.getMessage().contains("heap address " + b), e.getMessage());
    assertEquals(a, heap.getLong(root, LEFT));
  }

  @Test
  void whatIsLinkedAgainLives() {
    long a = heap.transaction(this::node0);
    objects.made(a);
    link(root, LEFT, 0);
    link(root, RIGHT, a);
    objects.drop(a);
    assertTrue(reclamation.freeUnlinked(new long[] {a}, 1, reclamation.position()));
    assertTrue(allocated().contains(a));
    assertEquals(ObjectLayout.FLAG_SINGLE, links(a));
    link(root, RIGHT, 0);
    assertFalse(allocated().contains(a));
  }

  @Test
  void nothingIsFreedThatASnapshotMayShow() {
    long a = heap.transaction(this::node0);
    try (HeapSnapshot open = heap.openSnapshot()) {
      link(root, LEFT, 0);
      assertTrue(allocated().contains(a));
      assertEquals(List.of(a), told.unlinked);
      assertFalse(reclamation.freeUnlinked(new long[] {a}, 1, reclamation.position()));
      assertTrue(allocated().contains(a));
      assertTrue(open.size() > 0);
    }
    assertTrue(reclamation.freeUnlinked(new long[] {a}, 1, reclamation.position()));
    assertFalse(allocated().contains(a));
  }

  @Test
  void aSnapshotOfALaterStateIsNoHindrance() throws InterruptedException {
    long a = heap.transaction(this::node0);
    objects.made(a);
    link(root, LEFT, 0);
    long since = reclamation.position();
    objects.drop(a);
    heap.snapshot(
        () -> {
          Thread other =
              Thread.ofPlatform()
                  .start(() -> assertTrue(reclamation.freeUnlinked(new long[] {a}, 1, since)));
          other.join();
          return null;
        });
    assertFalse(allocated().contains(a));
  }

  @Test
  void aHugeStructureIsFreedInSteps() {
    int length = 10_000;
    heap.transaction(
        () -> {
          long last = root;
          for (int i = 0; i < length; i++) {
            long next = node();
            link(last, LEFT, next);
            last = next;
          }
          return null;
        });
    int before = allocated().size();
    link(root, LEFT, 0);
    int freed = before - allocated().size();
    assertTrue(freed > 10 && freed < 500, freed + " freed by the commit");
    int steps = 0;
    while (!told.unlinked.isEmpty()) {
      long next = told.unlinked.removeFirst();
      assertTrue(reclamation.freeUnlinked(new long[] {next}, 1, reclamation.position()));
      steps++;
    }
    assertEquals(before - length, allocated().size());
    assertTrue(steps > 5, steps + " steps");
  }

  @Test
  void largeObjectsAreAsMuchWorkAsManySmallOnes() {
    int length = 40;
    heap.transaction(
        () -> {
          long last = root;
          for (int i = 0; i < length; i++) {
            long next = heap.allocate(NODE, 2 << 20);
            link(last, LEFT, next);
            last = next;
          }
          return null;
        });
    int before = allocated().size();
    link(root, LEFT, 0);
    int freed = before - allocated().size();
    assertTrue(freed > 1 && freed < 10, freed + " freed by the commit");
    while (!told.unlinked.isEmpty()) {
      long next = told.unlinked.removeFirst();
      assertTrue(reclamation.freeUnlinked(new long[] {next}, 1, reclamation.position()));
    }
    assertEquals(before - length, allocated().size());
  }

  @Test
  void whatASnapshotShowsElsewhereIsNotFreedWithWhatIsNot() throws InterruptedException {
    long a = heap.transaction(this::node0);
    long b = heap.transaction(this::nodeBelowLeft);
    long c =
        heap.transaction(
            () -> { // kept at the root's other side
              long made = node();
              link(root, RIGHT, made);
              return made;
            });
    objects.made(a);
    link(root, LEFT, 0);
    long since = reclamation.position();
    heap.snapshot(
        () -> {
          Thread other =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        heap.transaction(
                            () -> {
                              link(root, RIGHT, 0);
                              link(b, LEFT, c);
                              return null;
                            });
                        objects.drop(a);
                        assertTrue(reclamation.freeUnlinked(new long[] {a}, 1, since));
                      });
          other.join();
          assertEquals(c, heap.getLong(root, RIGHT));
          assertTrue(allocated().containsAll(List.of(b, c)));
          return null;
        });
    assertFalse(allocated().contains(a));
    assertTrue(told.unlinked.contains(b));
    assertTrue(reclamation.freeUnlinked(new long[] {b}, 1, reclamation.position()));
    assertFalse(allocated().contains(b) || allocated().contains(c));
  }

  /** Otherwise a transaction that has read much could conflict with each commit that frees. */
  @Test
  void aTransactionThatRunsAgainEndsBeforeMoreIsFreed() throws Exception {
    long a = heap.transaction(this::node0);
    objects.made(a);
    link(root, LEFT, 0);
    objects.drop(a);
    List<String> ended = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch runsAgain = new CountDownLatch(1);
    int[] runs = {0};
    Thread transaction =
        Thread.ofPlatform()
            .start(
                () -> {
                  heap.transaction(
                      () -> {
                        long before = heap.getLong(root, RIGHT);
                        if (runs[0]++ == 0) {
                          CompletableFuture.runAsync(() -> link(root, RIGHT, root)).join();
                        } else {
                          runsAgain.countDown();
                          LockSupport.parkNanos(
                              200_000_000); // without a wait it would be freed by then
                        }
                        link(root, LEFT, before);
                        return null;
                      });
                  ended.add("transaction");
                });
    runsAgain.await();
    assertTrue(reclamation.freeUnlinked(new long[] {a}, 1, reclamation.position()));
    ended.add("freed");
    transaction.join();
    assertEquals(List.of("transaction", "freed"), ended);
    assertEquals(2, runs[0]);
    assertFalse(allocated().contains(a));
  }

  @Test
  void aRollBackFreesNothing() {
    long a = heap.transaction(this::node0);
    TreeSet<Long> before = allocated();
    try {
      heap.transaction(
          () -> {
            link(root, LEFT, 0);
            node();
            throw new IllegalStateException("as it should");
          });
    } catch (IllegalStateException e) {
      assertEquals("as it should", e.getMessage());
    }
    assertEquals(before, allocated());
    assertEquals(a, heap.getLong(root, LEFT));
  }

  @Test
  void spaceIsKeptBackWhileItIsAskedFor() {
    long a = heap.transaction(this::node0);
    reclamation.keepBack();
    link(root, LEFT, 0);
    assertFalse(allocated().contains(a));
    for (int i = 0; i < 1000; i++) {
      assertFalse(heap.transaction(this::node0) == a, "given out again");
    }
    reclamation.giveOut();
    boolean found = false;
    for (int i = 0; i < 5000 && !found; i++) {
      found = heap.transaction(() -> heap.newObject(NODE, NODE_SIZE)).address() == a;
    }
    assertTrue(found, "not given out again");
  }

  @Test
  void aCollectorHearsOfLinksAndBirthsWhileItMarks() {
    long a = heap.transaction(this::node0);
    told.marking = true;
    link(root, RIGHT, a);
    assertEquals(new TreeSet<>(List.of(a)), told.marked);
    long b = heap.transaction(this::nodeBelowLeft);
    assertEquals(new TreeSet<>(List.of(a, b)), told.marked);
  }

  @Test
  void emptyChunksServeOtherSizes() {
    List<Long> all = new ArrayList<>();
    heap.transaction(
        () -> {
          long last = root;
          for (int i = 0; i < 20_000; i++) {
            long next = node();
            all.add(next);
            link(last, LEFT, next);
            last = next;
          }
          return null;
        });
    long size = heap.memory().size();
    link(root, LEFT, 0);
    while (!told.unlinked.isEmpty()) {
      long next = told.unlinked.removeFirst();
      assertTrue(reclamation.freeUnlinked(new long[] {next}, 1, reclamation.position()));
    }
    while (reclamation.releaseEmptyChunks()) {
      // until there is none
    }
    int chunks = 20_000 * NODE_SIZE / ExtentLayout.CHUNK_SIZE;
    TreeSet<Long> runs = new TreeSet<>();
    while (heap.memory().size() == size) {
      runs.add(heap.transaction(() -> heap.newObject(NODE, ExtentLayout.CHUNK_SIZE)).address());
    }
    long reused = runs.stream().filter(r -> r < all.getLast()).count();
    assertTrue(reused >= chunks - 2, reused + " of " + chunks + " chunks serve again");
  }

  @Test
  void aRunThatIsFreedLeavesEmptyBitmaps() {
    heap.transaction(
        () -> {
          long a = heap.allocate(NODE, 10 * ExtentLayout.CHUNK_SIZE);
          for (int i = 48; i < 10 * ExtentLayout.CHUNK_SIZE; i += 8) {
            heap.putLong(a, i, -1);
          }
          link(root, LEFT, a);
          return null;
        });
    link(root, LEFT, 0);
    TreeSet<Long> before = allocated();
    for (int i = 0; i < 2000; i++) {
      heap.transaction(() -> heap.allocate(NODE, 400));
    }
    // Unlinked objects that no Java object stands for are dropped at once.
    assertEquals(before, allocated());
    List<Long> kept = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long made = heap.transaction(() -> heap.newObject(NODE, 400)).address();
      assertFalse(before.contains(made));
      kept.add(made);
    }
    before.addAll(kept);
    assertEquals(before, allocated());
  }

  @Test
  void aTransactionThatReadsWhatIsFreedRunsAgain() throws InterruptedException {
    long a = heap.transaction(this::node0);
    CompletableFuture<Void> read = new CompletableFuture<>();
    CompletableFuture<Void> freed = new CompletableFuture<>();
    List<Long> seen = new ArrayList<>();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () ->
                    heap.transaction(
                        () -> {
                          long left = heap.getLong(root, LEFT);
                          seen.add(left);
                          if (seen.size() == 1) {
                            read.complete(null);
                            freed.join();
                          }
                          return left == 0 ? 0 : heap.getLong(left, RIGHT);
                        }));
    read.join();
    link(root, LEFT, 0);
    assertFalse(allocated().contains(a));
    freed.complete(null);
    reader.join();
    assertEquals(List.of(a, 0L), seen);
  }
}
