package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.SnapshotEndedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.Chunk;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.space.ReferenceMaps;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/**
 * A store is fed the records of another one of the same birth, one by one. After each both heaps
 * are equal, and snapshots of the fed store show what they showed, although the other one knows
 * nothing of them and uses freed space again.
 */
class ReplicaTest {
  private static final int SHAPE = 3;
  private static final int LEFT = 8;
  private static final int RIGHT = 16;
  private static final int COUNTER = 24;
  private static final int FIRST_WORD = 32;
  private static final int SLOTS = 12;
  private static final int OPEN_MAX = 4;
  private static final int[] SIZES = {40, 40, 40, 64, 96, 200, 1000, 5000, 20_000, 150_000};

  private static final class Recorded extends ParallelEngine {
    final ConcurrentLinkedQueue<byte[]> records = new ConcurrentLinkedQueue<>();

    @Override
    protected void appended(WriteSet record) {
      records.add(record.encode());
    }

    @Override
    protected void beforeApply() {}
  }

  /** One of the two stores. */
  private static final class Store {
    final Recorded engine = new Recorded();
    final Allocator allocator;
    final Transactions transactions;

    Store() {
      engine.grow(HeapMemory.EXTENT_SIZE);
      ReferenceMaps maps = new ReferenceMaps();
      maps.add(SHAPE, new ReferenceMap(new int[] {LEFT, RIGHT}, new int[0]));
      allocator = new Allocator(engine);
      transactions = new Transactions(engine, new LinkRules(maps, allocator), Durability.SYNC);
    }

    Transaction tx() {
      Transaction transaction = transactions.current();
      assert transaction != null;
      return transaction;
    }

    Replica replica() {
      transactions.replica().begin();
      return transactions.replica();
    }

    void close() {
      transactions.close();
      engine.close();
    }
  }

  private final Store source = new Store();
  private final Store copy = new Store();
  private final Replica replica = copy.replica();
  private final long[] roots = new long[SLOTS];

  private record Open(OpenSnapshot snapshot, SnapshotView view, TreeMap<Long, long[]> graph) {}

  private final List<Open> open = new ArrayList<>();

  ReplicaTest() {
    source.transactions.run(
        null,
        () -> {
          for (int i = 0; i < SLOTS; i++) {
            roots[i] = source.tx().allocate(SHAPE, 0, 40);
            source.tx().setVisible(roots[i]);
          }
          return true;
        });
    feed();
  }

  @AfterEach
  void close() {
    open.forEach(each -> each.snapshot().close());
    source.close();
    copy.close();
  }

  private void feed() {
    for (byte[] next = source.engine.records.poll();
        next != null;
        next = source.engine.records.poll()) {
      replica.apply(WriteSet.decode(next));
    }
  }

  @RepeatedTest(6)
  void bothHeapsAreEqualAndSnapshotsShowTheirState(RepetitionInfo info) {
    long seed =
        Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong())
            + info.getCurrentRepetition();
    System.out.println("ReplicaTest: -Dpmstore.seed=" + (seed - info.getCurrentRepetition()));
    Random random = new Random(seed);
    int freed = 0;
    for (int step = 0; step < 600; step++) {
      String when = "seed " + seed + ", step " + step;
      switch (random.nextInt(12)) {
        case 0 -> {
          if (open.size() < OPEN_MAX) {
            open();
          }
        }
        case 1 -> {
          if (!open.isEmpty()) {
            open.remove(random.nextInt(open.size())).snapshot().close();
          }
        }
        case 2 -> releaseEmptyChunks();
        case 3 -> {
          if (random.nextInt(4) == 0) {
            copy.transactions.snapshots().endOldest(1 + random.nextInt(20_000));
          }
        }
        default -> change(source, random);
      }
      for (byte[] next = source.engine.records.poll();
          next != null;
          next = source.engine.records.poll()) {
        WriteSet record = WriteSet.decode(next);
        int[] count = {0};
        record.forEachFreed(_ -> count[0]++);
        freed += count[0];
        assertEquals(copy.engine.position() + 1, replica.apply(record), when);
      }
      assertEquals(source.engine.position(), copy.engine.position(), when);
      if (step % 20 == 0) {
        assertEqualHeaps(when);
      }
      if (step % 5 == 0) {
        checkViews(when);
      }
      if (step % 100 == 0) {
        checkCopies(when);
      }
    }
    assertTrue(freed > 50, "only " + freed + " objects were freed");
    assertEqualHeaps("seed " + seed);
    while (!open.isEmpty()) {
      checkViews("seed " + seed + ", at the end");
      checkCopies("seed " + seed + ", at the end");
      open.remove(0).snapshot().close();
    }
  }

  /** One to four changes: nodes that are linked, unlinked (and so freed), written, counted in. */
  private void change(Store store, Random random) {
    int n = 1 + random.nextInt(4);
    store.transactions.run(
        null,
        () -> {
          for (int i = 0; i < n; i++) {
            long at = roots[random.nextInt(SLOTS)];
            for (int depth = random.nextInt(3); depth > 0; depth--) {
              long next = store.tx().getLong(at, random.nextBoolean() ? LEFT : RIGHT);
              at = next == 0 ? at : next;
            }
            int size = ObjectLayout.size(store.tx().getLong(at, 0));
            int reference = random.nextBoolean() ? LEFT : RIGHT;
            switch (random.nextInt(8)) {
              case 0, 1, 2 -> {
                long made = store.tx().allocate(SHAPE, 0, SIZES[random.nextInt(SIZES.length)]);
                store.tx().putLong(made, FIRST_WORD, random.nextLong());
                store.tx().putLong(at, reference, made);
              }
              case 3, 4 -> store.tx().putLong(at, reference, 0);
              case 5 -> store.tx().addToCounter(at, COUNTER, random.nextInt(100));
              default -> {
                int words = (size - FIRST_WORD) / 8;
                int word = random.nextInt(words);
                store.tx().putLong(at, FIRST_WORD + 8 * word, random.nextLong());
                store.tx().putLong(at, FIRST_WORD + 8 * random.nextInt(words), random.nextLong());
              }
            }
          }
          return true;
        });
  }

  /** Frees empty chunks, so that the allocator cuts them into slots of another size. */
  private void releaseEmptyChunks() {
    source.allocator.disown();
    List<Chunk> chunks = source.allocator.takeEmptyChunks(8);
    source.transactions.run(
        null,
        () -> {
          source.tx().release(chunks);
          return true;
        });
    source.allocator.released(chunks);
  }

  private void open() {
    OpenSnapshot snapshot = copy.transactions.openSnapshot();
    SnapshotView view = copy.transactions.viewOf(snapshot);
    open.add(new Open(snapshot, view, graph(view)));
  }

  /** Returns all words that can be reached from the roots. */
  private TreeMap<Long, long[]> graph(View view) {
    TreeMap<Long, long[]> graph = new TreeMap<>();
    ArrayDeque<Long> next = new ArrayDeque<>();
    for (long root : roots) {
      next.add(root);
    }
    while (!next.isEmpty()) {
      long object = next.remove();
      if (graph.containsKey(object)) {
        continue;
      }
      long[] words = new long[ObjectLayout.size(view.getLong(object, 0)) / 8];
      for (int i = 0; i < words.length; i++) {
        words[i] = 8 * i == COUNTER ? view.counter(object, 8 * i) : view.getLong(object, 8 * i);
      }
      graph.put(object, words);
      for (int reference : new int[] {LEFT, RIGHT}) {
        if (words[reference / 8] != 0) {
          next.add(words[reference / 8]);
        }
      }
    }
    return graph;
  }

  private void checkViews(String when) {
    for (Open each : open) {
      TreeMap<Long, long[]> shown;
      try {
        shown = graph(each.view());
      } catch (SnapshotEndedException e) {
        assertTrue(each.snapshot().isEnded(), when);
        continue;
      }
      assertSame(each.graph(), shown, when);
    }
  }

  private static void assertSame(
      TreeMap<Long, long[]> expected, TreeMap<Long, long[]> found, String when) {
    assertEquals(expected.keySet(), found.keySet(), when);
    expected.forEach(
        (object, words) -> assertArrayEquals(words, found.get(object), when + ", at " + object));
  }

  /** The copies of extents have all objects of their snapshots, and say that they are there. */
  private void checkCopies(String when) {
    for (Open each : open) {
      if (each.snapshot().isEnded()) {
        MemorySegment extent = MemorySegment.ofArray(new byte[(int) HeapMemory.EXTENT_SIZE]);
        assertThrows(
            SnapshotEndedException.class, () -> each.snapshot().copyExtent(0, extent), when);
        continue;
      }
      byte[] bytes = new byte[(int) each.snapshot().size()];
      for (int i = 0; i < each.snapshot().size() >>> HeapMemory.EXTENT_SHIFT; i++) {
        each.snapshot()
            .copyExtent(
                i,
                MemorySegment.ofArray(bytes)
                    .asSlice((long) i << HeapMemory.EXTENT_SHIFT, HeapMemory.EXTENT_SIZE));
      }
      ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      each.graph()
          .forEach(
              (object, expected) -> {
                assertTrue(
                    ExtentLayout.isAllocated(object, bytes.length, at -> words.getLong((int) at)),
                    when);
                for (int i = 0; i < expected.length; i++) {
                  assertEquals(
                      expected[i],
                      words.getLong((int) (long) object + 8 * i),
                      when + ", word " + i + " of " + object);
                }
              });
    }
  }

  private void assertEqualHeaps(String when) {
    long size = Math.min(source.engine.memory().size(), copy.engine.memory().size());
    assertEquals(-1, mismatch(size), when);
  }

  private long mismatch(long size) {
    for (long at = 0; at < size; at += HeapMemory.EXTENT_SIZE) {
      long differs =
          source
              .engine
              .memory()
              .slice(at, HeapMemory.EXTENT_SIZE)
              .mismatch(copy.engine.memory().slice(at, HeapMemory.EXTENT_SIZE));
      if (differs >= 0) {
        return at + differs;
      }
    }
    return -1;
  }

  @Test
  void readersBesideTheRecordsSeeWholeStates() throws Exception {
    long[] accounts = new long[8];
    source.transactions.run(
        null,
        () -> {
          for (int i = 0; i < accounts.length; i++) {
            accounts[i] = source.tx().allocate(SHAPE, 0, 40);
            source.tx().setVisible(accounts[i]);
          }
          return true;
        });
    feed();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    List<Thread> readers = new ArrayList<>();
    for (int r = 0; r < 2; r++) {
      boolean inSnapshot = r == 0;
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!ended.get()) {
                        try {
                          assertEquals(
                              0L,
                              inSnapshot
                                  ? copy.transactions.snapshot(() -> sum(accounts))
                                  : copy.transactions.run(null, () -> sum(accounts)));
                        } catch (SnapshotEndedException e) {
                          assertTrue(inSnapshot);
                        }
                      }
                    } catch (Throwable t) {
                      failed.set(t);
                    }
                  }));
    }
    Random random = new Random(1);
    for (int i = 0; i < 20_000 && failed.get() == null; i++) {
      long from = accounts[random.nextInt(accounts.length)];
      long to = accounts[random.nextInt(accounts.length)];
      source.transactions.run(
          null,
          () -> {
            source.tx().putLong(from, 32, source.tx().getLong(from, 32) - 5);
            source.tx().putLong(to, 32, source.tx().getLong(to, 32) + 5);
            return true;
          });
      feed();
      if (i % 3 == 0) {
        copy.transactions.snapshots().endOldest(Long.MAX_VALUE);
      }
    }
    ended.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    if (failed.get() != null) {
      throw new AssertionError(failed.get());
    }
  }

  private long sum(long[] accounts) {
    View view = copy.transactions.view();
    assert view != null;
    long sum = 0;
    for (long account : accounts) {
      sum += view.getLong(account, 32);
    }
    return sum;
  }

  @Test
  void aReplicaRefusesWritesUntilItEnds() {
    long root = roots[0];
    assertThrows(
        StoreReadOnlyException.class,
        () ->
            copy.transactions.run(
                null,
                () -> {
                  copy.tx().putLong(root, FIRST_WORD, 1);
                  return true;
                }));
    change(source, new Random(5));
    feed();
    replica.end();
    // What it allocates now is where the records left space, not where an old table had some.
    long made =
        copy.transactions.run(
            null,
            () -> {
              long object = copy.tx().allocate(SHAPE, 0, 40);
              copy.tx().putLong(root, LEFT, object);
              return object;
            });
    for (long each : roots) {
      assertNotEquals(each, made);
    }
    assertTrue(copy.allocator.isAllocated(made));
  }

  /**
   * What a store has cached of its heap when it wrote is worth nothing after records of another.
   */
  @Test
  void twoStoresTakeTurns() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("ReplicaTest: -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    Store writer = source;
    Store reader = copy;
    for (int turn = 0; turn < 20; turn++) {
      Replica applying = reader.replica();
      for (int i = 0; i < 20; i++) {
        change(writer, random);
      }
      for (byte[] record : writer.engine.records) {
        applying.apply(WriteSet.decode(record));
      }
      writer.engine.records.clear();
      reader.engine.records.clear();
      applying.end();
      assertEqualHeaps("seed " + seed + ", turn " + turn);
      Store next = reader;
      reader = writer;
      writer = next;
    }
    // Two objects in one place would be one graph's node with another one's words.
    for (long[] words : graph(copy.transactions.viewOf(snapshotToClose())).values()) {
      assertEquals(SHAPE, ObjectLayout.shapeId(words[0]));
    }
  }

  private OpenSnapshot snapshotToClose() {
    OpenSnapshot snapshot = copy.transactions.openSnapshot();
    open.add(new Open(snapshot, copy.transactions.viewOf(snapshot), new TreeMap<>()));
    return snapshot;
  }

  @Test
  void aRecordThatCannotBeOfAHeapIsRefused() {
    long before = copy.engine.position();
    WriteSet writes = new WriteSet();
    writes.putLong(roots[0] + FIRST_WORD, 7);
    byte[] good = writes.encode();
    byte[] cut = Arrays.copyOf(good, good.length - 8);
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> WriteSet.decode(cut))
            .getMessage()
            .contains("cut off"));
    byte[] odd = good.clone();
    odd[0] |= 1;
    assertThrows(IllegalArgumentException.class, () -> WriteSet.decode(odd));
    byte[] far = good.clone();
    far[7] = 0x40;
    assertThrows(IllegalArgumentException.class, () -> WriteSet.decode(far));
    byte[] behind = good.clone();
    behind[15] = 0x7f;
    assertThrows(IllegalArgumentException.class, () -> WriteSet.decode(behind));
    assertEquals(before, copy.engine.position());
  }
}
