package io.pmstore.core.heap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.RolledBackException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeapTest {
  private static final int SHAPE = 7;
  private static final int FIELD = ObjectLayout.HEADER;

  private final MemoryEngine engine = new MemoryEngine();
  private final Heap heap = open();

  private Heap open() {
    return new Heap(engine, Durability.SYNC, h -> new NoObjects());
  }

  @AfterEach
  void close() {
    heap.close();
  }

  private long newObject(int fields) {
    return heap.transaction(() -> heap.allocate(SHAPE, FIELD + 8 * fields));
  }

  @Test
  void fieldsOfEveryWidthAreReadAsWritten() {
    long object = newObject(3);
    heap.transaction(
        () -> {
          heap.putByte(object, 8, (byte) -3);
          heap.putShort(object, 10, (short) -300);
          heap.putInt(object, 12, -70_000);
          heap.putLong(object, 16, Long.MIN_VALUE + 1);
          heap.putChar(object, 24, '\uabcd');
          assertEquals(-3, heap.getByte(object, 8), "own write");
          assertEquals('\uabcd', heap.getChar(object, 24), "own write");
          return null;
        });
    assertEquals(-3, heap.getByte(object, 8));
    assertEquals(-300, heap.getShort(object, 10));
    assertEquals(-70_000, heap.getInt(object, 12));
    assertEquals(Long.MIN_VALUE + 1, heap.getLong(object, 16));
    assertEquals('\uabcd', heap.getChar(object, 24));
    assertEquals(SHAPE, heap.shapeId(object));
    assertEquals(32, heap.size(object));
  }

  @Test
  void aWriteOutsideATransactionIsOneOfItsOwn() {
    long object = newObject(1);
    long before = engine.position();
    heap.putLong(object, FIELD, 5);
    assertEquals(5, heap.getLong(object, FIELD));
    assertEquals(before + 1, engine.position());
  }

  @Test
  void aThrownExceptionRollsBackAndGoesToTheCaller() {
    long object = newObject(1);
    heap.putLong(object, FIELD, 1);
    Exception thrown = new Exception("mine");
    assertEquals(
        thrown,
        assertThrows(
            Exception.class,
            () ->
                heap.transaction(
                    () -> {
                      heap.putLong(object, FIELD, 2);
                      assertEquals(2, heap.getLong(object, FIELD));
                      throw thrown;
                    })));
    assertEquals(1, heap.getLong(object, FIELD));
  }

  @Test
  void anObjectOfARolledBackTransactionIsDead() {
    HeapObject[] made = new HeapObject[1];
    assertThrows(
        IllegalArgumentException.class,
        () ->
            heap.transaction(
                () -> {
                  made[0] = heap.newObject(SHAPE, 16);
                  made[0].putLong(FIELD, 3);
                  assertEquals(3, made[0].getLong(FIELD));
                  throw new IllegalArgumentException();
                }));
    assertThrows(RolledBackException.class, () -> made[0].getLong(FIELD));
    assertThrows(RolledBackException.class, () -> made[0].putLong(FIELD, 1));
  }

  @Test
  void spaceOfARolledBackTransactionIsUsedAgain() {
    long[] first = new long[1];
    assertThrows(
        IllegalArgumentException.class,
        () ->
            heap.transaction(
                () -> {
                  first[0] = heap.allocate(SHAPE, 40);
                  throw new IllegalArgumentException();
                }));
    assertEquals(first[0], (long) heap.transaction(() -> heap.allocate(SHAPE, 40)));
  }

  @Test
  void anExceptionThatLeavesAnInnerTransactionRollsTheOuterOneBack() {
    long object = newObject(1);
    RolledBackException refused =
        assertThrows(
            RolledBackException.class,
            () ->
                heap.transaction(
                    () -> {
                      heap.putLong(object, FIELD, 9);
                      assertThrows(
                          IllegalArgumentException.class,
                          () ->
                              heap.transaction(
                                  () -> {
                                    throw new IllegalArgumentException("inner");
                                  }));
                      return null;
                    }));
    assertEquals("inner", refused.getCause().getMessage());
    assertEquals(0, heap.getLong(object, FIELD));
  }

  @Test
  void twoStoresInOneBodyAreRefused() {
    long object = newObject(1);
    MemoryEngine otherEngine = new MemoryEngine();
    Heap other = new Heap(otherEngine, Durability.SYNC, h -> new NoObjects());
    assertThrows(
        IllegalStateException.class, () -> other.transaction(() -> heap.getLong(object, FIELD)));
    other.close();
  }

  @Test
  void aCounterKeepsEveryAdditionAndDoesNotMakeAddersConflict() throws Exception {
    long object = newObject(1);
    int threads = 4;
    int additions = 2_000;
    int[] runs = new int[threads];
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      CountDownLatch start = new CountDownLatch(threads);
      for (int t = 0; t < threads; t++) {
        int thread = t;
        pool.submit(
            () -> {
              start.countDown();
              start.await();
              for (int i = 0; i < additions; i++) {
                heap.transaction(
                    () -> {
                      runs[thread]++;
                      heap.addToCounter(object, FIELD, 1);
                      return null;
                    });
              }
              return null;
            });
      }
    }
    assertEquals((long) threads * additions, heap.counter(object, FIELD));
    for (int run : runs) {
      assertEquals(additions, run, "a transaction that only adds runs once");
    }
  }

  @Test
  void aTransactionSeesItsOwnAdditions() {
    long object = newObject(1);
    heap.transaction(
        () -> {
          heap.addToCounter(object, FIELD, 5);
          heap.addToCounter(object, FIELD, -2);
          assertEquals(3, heap.counter(object, FIELD));
          long fresh = heap.allocate(SHAPE, 16);
          heap.addToCounter(fresh, FIELD, 4);
          assertEquals(4, heap.counter(fresh, FIELD));
          heap.directory().setRoot("fresh", fresh);
          return null;
        });
    assertEquals(3, heap.counter(object, FIELD));
    assertEquals(4, heap.counter(heap.directory().root("fresh"), FIELD));
  }

  @Test
  void blobsOfAnySizeComeBack() {
    Random random = new Random(1);
    for (int length :
        new int[] {0, 1, 100, 20_000, CoreLayout.PART_MAX, CoreLayout.PART_MAX * 2 + 5}) {
      byte[] content = new byte[length];
      random.nextBytes(content);
      long blob =
          heap.transaction(
              () -> {
                long made = heap.blobs().create(content);
                assertArrayEquals(content, heap.blobs().read(made), "own write of " + length);
                return made;
              });
      assertArrayEquals(content, heap.blobs().read(blob), "blob of " + length);
    }
    long object = newObject(1);
    assertThrows(StoreDamagedException.class, () -> heap.blobs().read(object));
  }

  @Test
  void rootsAndCatalogueAreThereAfterReopening() {
    long object = newObject(2);
    heap.directory().setRoot("a", object);
    heap.directory().setRoot("b", 0);
    heap.directory().addCatalogueEntries(List.of("one".getBytes(UTF_8)));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            heap.transaction(
                () -> {
                  heap.directory().addCatalogueEntries(List.of("two".getBytes(UTF_8)));
                  heap.directory().setRoot("a", 0);
                  throw new IllegalArgumentException();
                }));
    Heap again = open();
    assertEquals(object, again.directory().root("a"));
    assertEquals(0, again.directory().root("b"));
    assertEquals(0, again.directory().root("c"));
    assertEquals(2, again.directory().catalogueEntries().size());
    assertArrayEquals("two".getBytes(UTF_8), again.directory().catalogueEntries().get(1));
  }

  @Test
  void aRemovedRootIsFreedWithItsEntryWhereverThatIsInTheList() {
    heap.referenceMaps().add(SHAPE, ReferenceMap.NONE);
    for (String removed : List.of("first", "middle", "last")) {
      newRoot("last");
      newRoot("middle");
      newRoot("first");
      Set<Long> before = allocated();
      long object = heap.directory().root(removed);
      assertTrue(heap.directory().removeRoot(removed));
      assertFalse(heap.directory().removeRoot(removed));
      Set<Long> freed = new HashSet<>(before);
      freed.removeAll(allocated());
      assertEquals(3, freed.size(), "the object, its entry and the blob of its name");
      assertTrue(freed.contains(object));
      Heap again = open();
      for (String name : List.of("first", "middle", "last")) {
        assertEquals(name.equals(removed), again.directory().root(name) == 0, name);
        assertEquals(!name.equals(removed), heap.directory().removeRoot(name), name);
      }
    }
    assertTrue(heap.directory().roots().isEmpty());
    assertEquals(Set.of(), allocated(), "what is left");
  }

  @Test
  void aRootOfNoObjectIsRemovedToo() {
    heap.directory().setRoot("a", 0);
    assertFalse(heap.directory().removeRoot("a"));
    assertTrue(heap.directory().roots().isEmpty());
  }

  /** The entry stays for the snapshot, but must not keep what its references led to. */
  @Test
  void aRootThatIsRemovedBesideASnapshotLetsGoOfItsObjectAndOfTheNextEntry() throws Exception {
    heap.referenceMaps().add(SHAPE, ReferenceMap.NONE);
    newRoot("next");
    newRoot("removed");
    long object = heap.directory().root("removed");
    long entry = heap.getLong(CoreLayout.SUPERBLOCK, CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    long next = heap.getLong(entry, CoreLayout.NEXT_OFFSET);
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      heap.snapshot(
          () -> {
            assertTrue(other.submit(() -> heap.directory().removeRoot("removed")).get());
            assertEquals(object, heap.directory().root("removed"));
            return true;
          });
    }
    assertEquals(ObjectLayout.FLAG_UNLINKED, ObjectLayout.links(heap.getLong(entry, 0)));
    assertEquals(ObjectLayout.FLAG_UNLINKED, ObjectLayout.links(heap.getLong(object, 0)));
    assertEquals(ObjectLayout.FLAG_SINGLE, ObjectLayout.links(heap.getLong(next, 0)));
  }

  private void newRoot(String name) {
    heap.transaction(
        () -> {
          heap.directory().setRoot(name, heap.allocate(SHAPE, 16));
          return null;
        });
  }

  private Set<Long> allocated() {
    Set<Long> objects = new HashSet<>();
    for (long chunk = 0; chunk < heap.memory().size(); chunk += ExtentLayout.CHUNK_SIZE) {
      heap.reclamation().forEachAllocated(chunk, (object, _, _) -> objects.add(object));
    }
    return objects;
  }

  @Test
  void aTransactionThatReadsARootCanAddToTheCatalogueAndSeeIt() {
    int[] runs = new int[1];
    heap.transaction(
        () -> {
          assertEquals(0, heap.directory().root("r")); // reads what adding an entry changes
          if (runs[0]++ == 0) {
            heap.directory().addCatalogueEntries(List.of(new byte[] {1}));
          }
          assertEquals(1, heap.directory().catalogueEntries().size());
          heap.directory().setRoot("r", 0);
          return null;
        });
    assertTrue(runs[0] <= 2, "runs: " + runs[0]);
  }

  @Test
  void whoFollowsADamagedReferenceDoesNotWriteIntoTheTableOfAnExtent() {
    long object = newObject(1);
    long table = ExtentLayout.descriptorAddress(object) & -64;
    long before = heap.memory().getLong(table + FIELD);
    assertThrows(
        StoreDamagedException.class,
        () ->
            heap.transaction(
                () -> {
                  heap.putLong(table, FIELD, 1);
                  return null;
                }));
    assertEquals(before, heap.memory().getLong(table + FIELD));
  }

  @Test
  void anAddressOutsideTheHeapIsDamageNotACrash() {
    assertThrows(StoreDamagedException.class, () -> heap.getLong(1L << 50, FIELD));
    assertThrows(
        StoreDamagedException.class, () -> heap.transaction(() -> heap.getInt(1L << 35, FIELD)));
    long object = newObject(1);
    assertThrows(
        StoreDamagedException.class, () -> heap.transaction(() -> heap.getLong(-1, FIELD)));
    assertThrows(
        StoreDamagedException.class,
        () ->
            heap.transaction(
                () -> {
                  heap.putLong(object, 16, 1);
                  return null;
                }),
        "beyond the object");
  }

  @Test
  void anyNumberMayBeFetched() {
    long object = newObject(1);
    heap.putLong(object, FIELD, 5);
    for (long number :
        new long[] {
          object, 0, -1, -8, 3, HeapMemory.EXTENT_SIZE, Long.MAX_VALUE & -8, Long.MIN_VALUE
        }) {
      heap.fetch(number);
      heap.transaction(
          () -> {
            heap.fetch(number);
            return null;
          });
    }
    assertEquals(5, heap.getLong(object, FIELD));
  }

  @Test
  void anObjectWhoseSizeIsDamagedIsRefusedNotTriedForEver() {
    long object = newObject(1);
    WriteSet damage = new WriteSet();
    damage.putLong(object, ObjectLayout.header(SHAPE, 0, 100 << 20)); // beyond the heap's end
    engine.commit(damage);
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () ->
            assertThrows(
                StoreDamagedException.class,
                () ->
                    heap.transaction(
                        () -> {
                          heap.putLong(object, FIELD, 1);
                          return null;
                        })));
    assertEquals(0, heap.getLong(object, FIELD));
  }

  @Test
  void aClosedHeapSaysSo() {
    long object = newObject(1);
    HeapObject handle = heap.object(object);
    assertThrows(
        IllegalStateException.class,
        () ->
            heap.transaction(
                () -> {
                  heap.close();
                  return null;
                }));
    heap.close();
    heap.close();
    assertThrows(StoreClosedException.class, () -> handle.getLong(FIELD));
    assertThrows(StoreClosedException.class, () -> handle.putLong(FIELD, 1));
    assertThrows(StoreClosedException.class, () -> handle.getObject(FIELD, 0));
    assertThrows(StoreClosedException.class, () -> heap.transaction(() -> null));
    assertThrows(StoreClosedException.class, () -> heap.directory().root("a"));
  }

  @Test
  void closeWaitsForARunningTransaction() throws Exception {
    long object = newObject(1);
    heap.directory().setRoot("r", object);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<?> writer =
          pool.submit(
              () ->
                  heap.transaction(
                      () -> {
                        heap.putLong(object, FIELD, 42);
                        inside.countDown();
                        go.await();
                        heap.directory()
                            .addCatalogueEntries(
                                List.of(new byte[1])); // a transaction inside still goes through
                        return null;
                      }));
      inside.await();
      Future<?> closer = pool.submit(heap::close);
      while (!isClosing()) {
        Thread.onSpinWait();
      }
      assertFalse(closer.isDone());
      go.countDown();
      assertNull(writer.get());
      closer.get();
    }
  }

  /** A closing heap refuses new transactions, on a thread that has none running. */
  private boolean isClosing() {
    try {
      heap.transaction(() -> null);
      return false;
    } catch (StoreClosedException e) {
      assertTrue(e.getMessage().contains("closed"));
      return true;
    }
  }

  @Test
  void onlyWhatTheChecksOfTheJvmThrowIsExplained() {
    InternalError error = new InternalError("no fault of mapped memory");
    assertSame(error, assertThrows(InternalError.class, () -> heap.explain(error, 8, 8)));
    List<RuntimeException> damage =
        List.of(
            new NullPointerException(),
            new IllegalArgumentException(),
            new IndexOutOfBoundsException());
    for (RuntimeException thrown : damage) {
      RuntimeException explained = heap.explain(thrown, 8, 8);
      assertSame(thrown, assertInstanceOf(StoreDamagedException.class, explained).getCause());
    }
    List<RuntimeException> others =
        List.of(new IllegalStateException(), new UnsupportedOperationException());
    others.forEach(thrown -> assertSame(thrown, heap.explain(thrown, 8, 8)));
    heap.close();
    assertThrows(StoreClosedException.class, () -> heap.explain(damage.getFirst(), 8, 8));
    assertSame(others.getLast(), heap.explain(others.getLast(), 8, 8));
  }

  @Test
  void aTransactionThatIsTooLargeIsRefusedAndHarmsNothing() {
    MemoryEngine small = new MemoryEngine(new MemoryEngine.Image(), 64 << 10);
    Heap smallHeap = new Heap(small, Durability.SYNC, h -> new NoObjects());
    long object = smallHeap.transaction(() -> smallHeap.allocate(SHAPE, FIELD + 16));
    long[] first = new long[1];
    for (int i = 0; i < 3; i++) {
      assertThrows(
          TransactionTooLargeException.class,
          () ->
              smallHeap.transaction(
                  () -> {
                    smallHeap.putLong(object, FIELD, 1);
                    smallHeap.addToCounter(object, FIELD + 8, 1);
                    first[0] = smallHeap.allocate(SHAPE, 100 << 10);
                    smallHeap.directory().setRoot("large", first[0]);
                    return null;
                  }));
      assertEquals(0, smallHeap.getLong(object, FIELD));
      assertEquals(0, smallHeap.counter(object, FIELD + 8));
      assertEquals(0, smallHeap.directory().root("large"));
    }
    smallHeap.putLong(object, FIELD, 2);
    assertEquals(2, smallHeap.getLong(object, FIELD));
    assertEquals(
        first[0], (long) smallHeap.transaction(() -> smallHeap.allocate(SHAPE, 60 << 10)), "space");
    smallHeap.close();
  }
}
