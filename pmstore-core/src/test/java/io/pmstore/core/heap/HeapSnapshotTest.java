package io.pmstore.core.heap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.EngineWrapper;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the body of a snapshot may do and sees, through the heap. */
class HeapSnapshotTest {
  private static final int SHAPE = 7;

  private final ParallelEngine engine = new ParallelEngine();
  private final Heap heap = new Heap(engine, Durability.SYNC, _ -> new NoObjects());
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    other.close();
    heap.close();
  }

  private long newObject() {
    return heap.transaction(() -> heap.allocate(SHAPE, 64));
  }

  /** Runs on another thread, and waits for it. */
  private void elsewhere(Runnable action) {
    try {
      other.submit(action).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void writeAll(long object, int value) {
    heap.transaction(
        () -> {
          heap.putByte(object, 9, (byte) value);
          heap.putShort(object, 10, (short) value);
          heap.putChar(object, 12, (char) value);
          heap.putInt(object, 20, value);
          heap.putLong(object, 24, value);
          heap.putLong(object, 32, heap.blobs().create(("blob " + value).getBytes(UTF_8)));
          heap.addToCounter(object, 40, 1);
          heap.directory().setRoot("root", object);
          heap.directory().setRoot("root " + value, object);
          return true;
        });
  }

  private String readAll(long object) {
    return List.of(
            heap.getByte(object, 9),
            heap.getShort(object, 10),
            (int) heap.getChar(object, 12),
            heap.getInt(object, 20),
            heap.getLong(object, 24),
            new String(heap.blobs().read(heap.getLong(object, 32)), UTF_8),
            heap.counter(object, 40),
            heap.directory().root("root 1") == object,
            heap.directory().root("root 2") == object)
        .toString();
  }

  @Test
  void everythingIsReadAsItWas() {
    long object = newObject();
    writeAll(object, 1);
    List<String> seen = new ArrayList<>();
    String result =
        heap.snapshot(
            () -> {
              seen.add(readAll(object));
              elsewhere(() -> writeAll(object, 2));
              seen.add(readAll(object));
              seen.add(heap.read(() -> readAll(object)));
              seen.add(heap.transaction(() -> readAll(object)));
              seen.add(heap.snapshot(() -> readAll(object)));
              return "once";
            });
    String before = "[1, 1, 1, 1, 1, blob 1, 1, true, false]";
    assertEquals(List.of(before, before, before, before, before), seen);
    assertEquals("once", result);
    assertEquals("[2, 2, 2, 2, 2, blob 2, 2, true, true]", readAll(object));
  }

  /** A copy for another node is given up when the heap is replaced, also while it is read. */
  @Test
  void anExtentThatIsReadWhileTheCopyIsGivenUpIsRefused() {
    List<Runnable> meanwhile = new ArrayList<>();
    EngineWrapper wrapper =
        new EngineWrapper(new MemoryEngine()) {
          @Override
          public void checkStored(long address, long length) {
            meanwhile.forEach(Runnable::run);
          }
        };
    Heap copied = new Heap(wrapper, Durability.SYNC, _ -> new NoObjects());
    try (Arena arena = Arena.ofConfined();
        HeapSnapshot snapshot = copied.openSnapshot()) {
      MemorySegment extent = arena.allocate(HeapMemory.EXTENT_SIZE);
      snapshot.copyExtent(0, extent);
      meanwhile.add(snapshot::close);
      assertThrows(StoreClosedException.class, () -> snapshot.copyExtent(0, extent));
    }
    copied.close();
  }

  @Test
  void everyWriteIsRefusedAndTheSnapshotGoesOn() {
    long object = newObject();
    writeAll(object, 1);
    List<Executable> writes =
        List.of(
            () -> heap.putByte(object, 9, (byte) 3),
            () -> heap.putShort(object, 10, (short) 3),
            () -> heap.putChar(object, 12, 'c'),
            () -> heap.putInt(object, 20, 3),
            () -> heap.putLong(object, 24, 3),
            () -> heap.addToCounter(object, 40, 3),
            () -> heap.allocate(SHAPE, 16),
            () -> heap.newObject(SHAPE, 16),
            () -> heap.blobs().create(new byte[3]),
            () -> heap.directory().setRoot("root", 0),
            () -> heap.object(object).putObject(24, 0, 3L),
            () -> heap.transaction(() -> heap.allocate(SHAPE, 16)));
    long before = engine.position();
    heap.snapshot(
        () -> {
          for (Executable write : writes) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, write);
            assertTrue(refused.getMessage().contains("snapshot"), refused.getMessage());
          }
          assertEquals("[1, 1, 1, 1, 1, blob 1, 1, true, false]", readAll(object));
          return true;
        });
    assertEquals(before, engine.position());
    heap.putInt(object, 20, 4); // the thread writes again
    assertEquals(4, heap.getInt(object, 20));
  }

  @Test
  void aSnapshotInsideATransactionIsRefused() {
    long object = newObject();
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () ->
                heap.transaction(
                    () -> {
                      heap.putLong(object, 24, 1);
                      return heap.snapshot(() -> heap.getLong(object, 24));
                    }));
    assertTrue(refused.getMessage().contains("inside a transaction"), refused.getMessage());
    assertEquals(0, heap.getLong(object, 24));
    assertThrows(IllegalStateException.class, () -> heap.transaction(() -> heap.openSnapshot()));
    assertThrows(IllegalStateException.class, () -> heap.snapshot(() -> heap.openSnapshot()));
  }

  @Test
  void anExceptionEndsTheSnapshotAndGoesToTheCaller() {
    IOException mine = new IOException("mine");
    assertEquals(
        mine,
        assertThrows(
            IOException.class,
            () ->
                heap.snapshot(
                    () -> {
                      throw mine;
                    })));
    assertFalse(heap.inTransaction());
    long object = newObject();
    heap.putLong(object, 24, 1);
    assertEquals(1, heap.getLong(object, 24));
  }

  @Test
  void whatIsToBeToldIsToldAtTheEnd() {
    List<String> told = new ArrayList<>();
    heap.snapshot(
        () -> {
          heap.onCommit(() -> told.add("ended"));
          heap.onRollback(() -> told.add("failed"));
          assertEquals(List.of(), told);
          assertTrue(heap.inTransaction() && heap.inSnapshot());
          return true;
        });
    assertEquals(List.of("ended"), told);
    assertThrows(
        ArithmeticException.class,
        () ->
            heap.snapshot(
                () -> {
                  heap.onCommit(() -> told.add("ended"));
                  heap.onRollback(() -> told.add("failed"));
                  throw new ArithmeticException();
                }));
    assertEquals(List.of("ended", "failed"), told);
  }

  @Test
  void anUncommittedObjectIsRefusedAndALaterOneIsShownAsItWasMade() {
    long[] made = new long[1];
    heap.snapshot(
        () -> {
          elsewhere(
              () ->
                  heap.transaction(
                      () -> {
                        made[0] = heap.allocate(SHAPE, 64);
                        heap.putLong(made[0], 24, 5);
                        return true;
                      }));
          assertEquals(5, heap.getLong(made[0], 24));
          elsewhere(() -> heap.putLong(made[0], 24, 6));
          assertEquals(5, heap.getLong(made[0], 24));
          return true;
        });
  }

  @Test
  void aSnapshotWaitsUntilWhatItSawIsDurable() {
    long object = newObject();
    heap.transaction(
        Durability.relaxed(Duration.ofHours(1)),
        () -> {
          heap.putLong(object, 24, 1);
          return true;
        });
    long committed = engine.position();
    assertTrue(engine.synced() < committed, "it is relaxed");
    heap.snapshot(() -> heap.getLong(object, 32)); // sees the object, so waits for it
    assertEquals(committed, engine.synced());
  }

  @Test
  void aSnapshotThatSawNothingNewWaitsForNothing() {
    long old = newObject();
    long object = newObject();
    long before = engine.synced();
    heap.transaction(
        Durability.relaxed(Duration.ofHours(1)),
        () -> {
          heap.putLong(object, 24, 1);
          return true;
        });
    heap.snapshot(() -> heap.getLong(old, 24));
    assertEquals(before, engine.synced());
  }

  @Test
  void aClosedHeapHasNoSnapshots() {
    assertThrows(
        IllegalStateException.class,
        () ->
            heap.snapshot(
                () -> {
                  heap.close();
                  return true;
                }));
    heap.close();
    assertThrows(StoreClosedException.class, () -> heap.snapshot(() -> true));
    assertThrows(StoreClosedException.class, heap::openSnapshot);
  }

  @Test
  void twoStoresInOneBodyAreRefused() {
    ParallelEngine second = new ParallelEngine();
    Heap another = new Heap(second, Durability.SYNC, _ -> new NoObjects());
    long object = newObject();
    assertThrows(
        IllegalStateException.class, () -> another.snapshot(() -> heap.getLong(object, 24)));
    assertThrows(IllegalStateException.class, () -> another.snapshot(() -> heap.snapshot(() -> 1)));
    another.close();
  }

  @Test
  void bytesOfAChangedObjectAreReadAsTheyWere() {
    long blob = heap.transaction(() -> heap.blobs().create("as it was".getBytes(UTF_8)));
    heap.snapshot(
        () -> {
          // No blob ever changes; this has its object changed as any may be.
          elsewhere(() -> heap.putLong(blob, 16, 0));
          assertArrayEquals("as it was".getBytes(UTF_8), heap.blobs().read(blob));
          return true;
        });
  }
}
