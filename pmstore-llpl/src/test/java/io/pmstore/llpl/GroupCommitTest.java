package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.intel.pmem.llpl.MemoryBlock;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.memory.HeapMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a PMDK transaction of the engine consists of, and which commits share one. */
@Timeout(120)
class GroupCommitTest extends LlplFixture {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;

  /** Notes what is added and flushed, and can hold a transaction up. */
  private static final class WatchedPool extends LlplPool {
    private final List<long[]> added = new ArrayList<>();
    private final List<long[]> flushed = new ArrayList<>();
    private int transactions;
    private Runnable atEnd = () -> {};

    WatchedPool(LlplPool pool) {
      super(pool.heap);
    }

    @Override
    void transaction(Runnable body) {
      transactions++;
      super.transaction(
          () -> {
            body.run();
            atEnd.run();
          });
    }

    @Override
    void addToTransaction(MemoryBlock block, long offset, long length) {
      added.add(new long[] {address(block) + offset, length});
      super.addToTransaction(block, offset, length);
    }

    @Override
    void flush(MemoryBlock block, long offset, long length) {
      flushed.add(new long[] {address(block) + offset, length});
      super.flush(block, offset, length);
    }

    void forget() {
      added.clear();
      flushed.clear();
      transactions = 0;
    }
  }

  private record Watched(LlplEngine engine, WatchedPool pool, Path directory) {}

  private @Nullable Engine open;

  @AfterEach
  void close() {
    if (open != null) {
      open.close();
    }
  }

  private Watched watched() {
    AtomicReference<WatchedPool> pool = new AtomicReference<>();
    Path directory = directory("store");
    LlplEngine engine =
        Llpl.open(
            directory,
            real -> {
              pool.set(new WatchedPool(real));
              return pool.get();
            });
    open = engine;
    engine.grow(2 * EXTENT);
    pool.get().forget();
    return new Watched(engine, pool.get(), directory);
  }

  // ---- one transaction

  @Test
  void whatIsCloseTogetherIsOneRange() {
    Watched store = watched();
    WriteSet writes = new WriteSet();
    writes.putLong(START, 1);
    writes.putLong(START + 100 * 8, 2);
    writes.add(START + 8 + GroupCommit.GAP_MAX, 3);
    store.engine.commit(writes);
    assertEquals(List.of(16L + GroupCommit.GAP_MAX, 8L), lengths(store.pool.added));
  }

  @Test
  void unusedSpaceNeedsNoUndo() {
    Watched store = watched();
    WriteSet writes = new WriteSet();
    writes.putFresh(START, new byte[128], 0, 128);
    writes.putLong(START + 4096, 1);
    writes.putFresh(EXTENT - 64, bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 0, 80);
    store.engine.commit(writes);
    assertEquals(List.of(8L), lengths(store.pool.added));
    assertEquals(List.of(128L, 64L, 16L), lengths(store.pool.flushed));
    assertEquals(10, store.engine.memory().getLong(EXTENT + 8));
  }

  /** More than PMDK would have room for in its undo log. */
  @Test
  void aTransactionMayFillMoreUnusedSpaceThanTheUndoLogHas() {
    Watched store = watched();
    byte[] contents = new byte[30 << 20];
    Arrays.fill(contents, (byte) 7);
    WriteSet writes = new WriteSet();
    writes.putFresh(START, contents, 0, contents.length);
    store.engine.commit(writes);
    assertEquals(0x0707070707070707L, store.engine.memory().getLong(START + contents.length - 8));
    assertTrue(store.pool.added.isEmpty());
  }

  private static List<Long> lengths(List<long[]> ranges) {
    return ranges.stream().map(range -> range[1]).toList();
  }

  /**
   * Of each word that a transaction changes: it was added, or the space was unused and is flushed.
   */
  @Test
  void everythingWrittenIsAddedOrFlushed() {
    long seed = seed();
    Random random = new Random(seed);
    Watched store = watched();
    for (int round = 0; round < 300; round++) {
      WriteSet writes = new WriteSet();
      BitSet used = new BitSet();
      BitSet unused = new BitSet();
      fill(writes, used, unused, random);
      store.pool.forget();
      store.engine.commit(writes);
      String message = "round " + round + " of -Dpmstore.seed=" + seed;
      assertCovered(used, words(store, store.pool.added), message);
      assertCovered(unused, words(store, store.pool.flushed), message);
      assertEquals(1, store.pool.transactions, message);
    }
  }

  private static void fill(WriteSet writes, BitSet used, BitSet unused, Random random) {
    int far = 1 + random.nextInt(60);
    int word = (int) (EXTENT >>> 3) - random.nextInt(2000);
    for (int i = 1 + random.nextInt(random.nextBoolean() ? 5 : 200); i > 0; i--) {
      word += random.nextInt(far);
      int size = 1 + random.nextInt(10);
      byte[] contents = new byte[8 * size];
      random.nextBytes(contents);
      switch (random.nextInt(3)) {
        case 0 -> {
          writes.put(8L * word, contents, 0, contents.length);
          used.set(word, word + size);
        }
        case 1 -> {
          writes.putFresh(8L * word, contents, 0, contents.length);
          unused.set(word, word + size);
        }
        default -> {
          writes.add(8L * word, random.nextLong());
          used.set(word);
        }
      }
      word += size;
    }
  }

  /** The words that some ranges of memory have, by their numbers in the space. */
  private static BitSet words(Watched store, List<long[]> ranges) {
    BitSet words = new BitSet();
    for (long[] range : ranges) {
      for (int extent = 0; extent < 2; extent++) {
        long start = store.engine.memory().slice(extent * EXTENT, EXTENT).address();
        if (range[0] >= start && range[0] < start + EXTENT) {
          int first = (int) ((extent * EXTENT + range[0] - start) >>> 3);
          words.set(first, first + (int) (range[1] >>> 3));
        }
      }
    }
    return words;
  }

  private static void assertCovered(BitSet touched, BitSet covered, String message) {
    BitSet missed = (BitSet) touched.clone();
    missed.andNot(covered);
    assertTrue(missed.isEmpty(), () -> "words " + missed + " are missed, " + message);
  }

  // ---- several

  private static WriteSet word(int number, long value) {
    WriteSet writes = new WriteSet();
    writes.putLong(START + 4096L * number, value);
    return writes;
  }

  /** Starts a commit and waits until it is in its transaction, which goes on when told to. */
  private static CompletableFuture<Long> held(Watched store, CompletableFuture<Void> goOn) {
    CompletableFuture<Void> inside = new CompletableFuture<>();
    store.pool.atEnd =
        () -> {
          store.pool.atEnd = () -> {};
          inside.complete(null);
          goOn.join();
        };
    CompletableFuture<Long> first = start(false, () -> store.engine.commit(word(0, 1)));
    inside.join();
    return first;
  }

  private static CompletableFuture<Long> start(boolean virtual, LongSupplier task) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
        .start(
            () -> {
              try {
                result.complete(task.getAsLong());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static void awaitWaiting(Watched store, int count) {
    while (store.engine.waiting() < count) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thoseThatWaitTogetherShareATransaction(boolean virtual) {
    Watched store = watched();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    CompletableFuture<Long> first = held(store, goOn);
    List<CompletableFuture<Long>> others = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      int number = i;
      others.add(start(virtual, () -> store.engine.commit(word(number, number))));
    }
    awaitWaiting(store, 10);
    goOn.complete(null);
    assertEquals(1, first.join());
    long[] positions = others.stream().mapToLong(CompletableFuture::join).sorted().toArray();
    assertEquals(
        LongStream.rangeClosed(2, 11).boxed().toList(), Arrays.stream(positions).boxed().toList());
    assertEquals(2, store.pool.transactions);
    assertEquals(11, store.engine.position());
    for (int i = 1; i <= 10; i++) {
      assertEquals(i, store.engine.memory().getLong(START + 4096L * i));
    }
  }

  /** The undo log of one thread is not used beyond what it has anyway. */
  @Test
  void aGroupFitsIntoTheUndoLogOfAThread() {
    Watched store = watched();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    final CompletableFuture<Long> first = held(store, goOn);
    List<CompletableFuture<Long>> others = new ArrayList<>();
    int each = (int) PoolSpace.UNDO_IN_PLACE / 64 / 3; // words of a write set, which take 64 bytes
    for (int i = 1; i <= 7; i++) {
      WriteSet writes = new WriteSet();
      for (int n = 0; n < each; n++) {
        writes.putLong(START + 4096L * (i * each + n), i);
      }
      others.add(start(false, () -> store.engine.commit(writes)));
    }
    awaitWaiting(store, 7);
    goOn.complete(null);
    first.join();
    others.forEach(CompletableFuture::join);
    assertEquals(1 + 3, store.pool.transactions);
  }

  @Test
  void oneThatCannotBeWrittenFailsAlone() {
    Watched store = watched();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    final CompletableFuture<Long> first = held(store, goOn);
    WriteSet outside = word(1, 1);
    ByteBuffer.wrap(outside.record())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(LogRecordLayout.HEADER_SIZE, 0);
    final CompletableFuture<Long> failing = start(false, () -> store.engine.commit(outside));
    final CompletableFuture<Long> other = start(false, () -> store.engine.commit(word(2, 2)));
    awaitWaiting(store, 2);
    goOn.complete(null);
    first.join();
    assertEquals(2, other.join());
    assertInstanceOf(
        IllegalArgumentException.class,
        assertThrows(CompletionException.class, failing::join).getCause());
    assertEquals(2, store.engine.memory().getLong(START + 2 * 4096));
  }

  @Test
  void allFailThatWaitForATransactionThatFails() {
    Watched store = watched();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    final CompletableFuture<Long> first = held(store, goOn);
    List<CompletableFuture<Long>> others = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      int number = i;
      others.add(start(i % 2 == 0, () -> store.engine.commit(word(number, number))));
    }
    awaitWaiting(store, 5);
    store.pool.atEnd =
        () -> {
          throw new IllegalStateException("injected");
        };
    goOn.complete(null);
    assertEquals(1, first.join());
    for (CompletableFuture<Long> other : others) {
      assertInstanceOf(
          StoreFailedException.class,
          assertThrows(CompletionException.class, other::join).getCause());
    }
    assertThrows(StoreFailedException.class, store.engine::position);
  }

  /** As its owner does whom an error ends while it waits. */
  @Test
  @SuppressWarnings("NullAway") // there is no transaction, so neither pool nor root is used
  void whatWasTakenBackIsCommittedByNobody() {
    GroupCommit group = new GroupCommit(new HeapMemory(), null, null);
    PendingCommit takenBack = new PendingCommit(word(0, 1));
    group.add(takenBack);
    assertTrue(takenBack.take());
    group.takeWaiting();
    group.commit();
    assertEquals(0, group.waiting());
    assertEquals(0, group.position());
    assertFalse(takenBack.isDone());
    assertFalse(takenBack.take(), "it can be taken once");
  }

  @Test
  void whatWaitsWhenTheStoreIsClosedIsCommittedOrRefused() {
    Watched store = watched();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    CompletableFuture<Long> first = held(store, goOn);
    CompletableFuture<Long> closing =
        start(
            false,
            () -> {
              store.engine.close();
              return 0;
            });
    List<CompletableFuture<Long>> others = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      int number = i;
      others.add(start(i % 2 == 0, () -> store.engine.commit(word(number, number))));
    }
    goOn.complete(null);
    assertEquals(1, first.join());
    closing.join();
    boolean[] committed = new boolean[7];
    for (int i = 1; i <= 6; i++) {
      try {
        others.get(i - 1).join();
        committed[i] = true;
      } catch (CompletionException e) {
        assertInstanceOf(StoreClosedException.class, e.getCause());
      }
    }
    Engine reopened = opened(store.directory);
    for (int i = 1; i <= 6; i++) {
      assertEquals(committed[i] ? i : 0, reopened.memory().getLong(START + 4096L * i));
    }
  }
}
