package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKind;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ReferenceMaps;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Snapshots, several at once, beside writers: each is one state that the order of commits went
 * through, in every part: what was written, counted and allocated, read by address and as a copy of
 * the whole heap. -Dpmstore.snapshot.ms says how long, for each engine.
 *
 * <pre>
 *   account  (16 bytes): balance (8)
 *   thread   (40 bytes): commits (8), first node (16), nodes (24), nodes it has dropped (32)
 *   node     (32 bytes): next (8), number (16), the number's complement (24)
 *   counters (1 KiB): commits of all threads, in one of many words
 * </pre>
 */
class SnapshotConcurrencyTest {
  private static final int SHAPE = 3;
  private static final int ACCOUNTS = 40;
  private static final int THREADS = 3;
  private static final int COUNTERS = 4;
  private static final int NODES_MAX = 30;
  private static final long BALANCE = 1_000;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  @TempDir Path directory;

  private final long[] accounts = new long[ACCOUNTS];
  private final long[] threads = new long[THREADS];
  private long counters;

  /** Reads words of one state. */
  private interface State {
    long word(long object, int offset);

    long counter(long object, int offset);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"LLPL", "TIERED"},
      mode = EnumSource.Mode.EXCLUDE) // in their modules
  void everySnapshotIsOneState(EngineKind kind) throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("SnapshotConcurrencyTest: -Dpmstore.seed=" + seed);
    try (Engine engine = kind.open(directory)) {
      engine.grow(HeapMemory.EXTENT_SIZE);
      Transactions transactions =
          new Transactions(
              engine,
              new LinkRules(new ReferenceMaps(), new Allocator(engine)),
              Durability.relaxed(Duration.ofMillis(50)));
      prepare(transactions);
      long end =
          System.nanoTime()
              + Duration.ofMillis(Integer.getInteger("pmstore.snapshot.ms", 1_200)).toNanos();
      AtomicBoolean failed = new AtomicBoolean();
      AtomicLong snapshots = new AtomicLong();
      List<Future<?>> running = new ArrayList<>();
      try (ExecutorService pool = Executors.newFixedThreadPool(THREADS + 2)) {
        for (int i = 0; i < THREADS; i++) {
          int thread = i;
          SplittableRandom random = new SplittableRandom(seed + i);
          running.add(
              pool.submit(
                  () -> {
                    while (System.nanoTime() - end < 0 && !failed.get()) {
                      commit(transactions, thread, random);
                    }
                  }));
        }
        for (int i = 0; i < 2; i++) {
          SplittableRandom random = new SplittableRandom(seed - i - 1);
          running.add(
              pool.submit(
                  () -> {
                    boolean passed = false;
                    try {
                      snapshots.addAndGet(check(transactions, random, end));
                      passed = true;
                    } finally {
                      failed.compareAndSet(false, !passed);
                    }
                  }));
        }
      }
      for (Future<?> future : running) {
        future.get();
      }
      System.out.println(kind + ": " + snapshots + " snapshots, " + engine.position() + " commits");
      assertTrue(snapshots.get() > 0);
      transactions.close();
    }
  }

  private static Transaction tx(Transactions transactions) {
    Transaction transaction = transactions.current();
    assert transaction != null;
    return transaction;
  }

  private void prepare(Transactions transactions) {
    transactions.run(
        null,
        () -> {
          Transaction tx = tx(transactions);
          for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = tx.allocate(SHAPE, 0, 16);
            tx.putLong(accounts[i], 8, BALANCE);
          }
          for (int i = 0; i < THREADS; i++) {
            threads[i] = tx.allocate(SHAPE, 0, 40);
          }
          counters = tx.allocate(SHAPE, 0, 1024);
          return true;
        });
  }

  private void commit(Transactions transactions, int thread, SplittableRandom random) {
    long from = accounts[random.nextInt(ACCOUNTS)];
    long to = accounts[random.nextInt(ACCOUNTS)];
    int amount = random.nextInt(100);
    int counter = 8 + 8 * random.nextInt(COUNTERS);
    boolean pushes = random.nextInt(4) == 0;
    transactions.run(
        null,
        () -> {
          Transaction tx = tx(transactions);
          tx.putLong(from, 8, tx.getLong(from, 8) - amount);
          tx.putLong(to, 8, tx.getLong(to, 8) + amount);
          long mine = threads[thread];
          tx.putLong(mine, 8, tx.getLong(mine, 8) + 1);
          tx.addToCounter(counters, counter, 1);
          long nodes = tx.getLong(mine, 24) + 1;
          if (nodes > NODES_MAX) {
            tx.putLong(mine, 32, tx.getLong(mine, 32) + nodes - 1);
            tx.putLong(mine, 16, 0);
            tx.putLong(mine, 24, 0);
          } else if (pushes) {
            long node = tx.allocate(SHAPE, 0, 32);
            tx.putLong(node, 8, tx.getLong(mine, 16));
            tx.putLong(node, 16, nodes);
            tx.putLong(node, 24, ~nodes);
            tx.putLong(mine, 16, node);
            tx.putLong(mine, 24, nodes);
          }
          return true;
        });
  }

  /** Opens and closes snapshots, up to three at a time; returns how many. */
  private long check(Transactions transactions, SplittableRandom random, long end) {
    record Open(OpenSnapshot snapshot, List<Long> seen) {}
    Deque<Open> open = new ArrayDeque<>();
    long count = 0;
    while (true) {
      boolean opensMore = count == 0 || System.nanoTime() - end < 0;
      if (!opensMore && open.isEmpty()) {
        return count;
      }
      if (opensMore && (open.isEmpty() || open.size() < 3 && random.nextBoolean())) {
        OpenSnapshot snapshot = transactions.openSnapshot();
        open.add(new Open(snapshot, checked(viewed(transactions, snapshot))));
        count++;
      } else {
        Open oldest = random.nextBoolean() ? open.removeFirst() : open.removeLast();
        assertEquals(oldest.seen(), checked(viewed(transactions, oldest.snapshot())), "changed");
        if (count % 20 == 0) {
          checkCopy(oldest.snapshot(), oldest.seen());
        }
        oldest.snapshot().close();
      }
    }
  }

  private static State viewed(Transactions transactions, OpenSnapshot snapshot) {
    SnapshotView view = transactions.viewOf(snapshot);
    return new State() {
      @Override
      public long word(long object, int offset) {
        return view.getLong(object, offset);
      }

      @Override
      public long counter(long object, int offset) {
        return view.counter(object, offset);
      }
    };
  }

  /** Checks that a state is consistent; returns what tells it from others. */
  private List<Long> checked(State state) {
    List<Long> seen = new ArrayList<>();
    long sum = 0;
    for (long account : accounts) {
      sum += state.word(account, 8);
      seen.add(state.word(account, 8));
    }
    assertEquals(BALANCE * ACCOUNTS, sum, "what all accounts hold");
    long commits = 0;
    for (long thread : threads) {
      commits += state.word(thread, 8);
      long number = state.word(thread, 24);
      seen.add(number);
      for (long node = state.word(thread, 16); node != 0; node = state.word(node, 8)) {
        assertEquals(number, state.word(node, 16), "a node");
        assertEquals(~number, state.word(node, 24), "a node's complement");
        number--;
      }
      assertEquals(0, number, "nodes that are missing");
    }
    long counted = 0;
    for (int i = 0; i < COUNTERS; i++) {
      counted += state.counter(counters, 8 + 8 * i);
    }
    assertEquals(commits, counted, "commits by counters");
    seen.add(commits);
    return seen;
  }

  private void checkCopy(OpenSnapshot snapshot, List<Long> seen) {
    byte[][] extents = new byte[(int) (snapshot.size() >>> HeapMemory.EXTENT_SHIFT)][];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = new byte[(int) HeapMemory.EXTENT_SIZE];
      snapshot.copyExtent(i, MemorySegment.ofArray(extents[i]));
    }
    State copied =
        new State() {
          @Override
          public long word(long object, int offset) {
            long address = object + offset;
            byte[] extent = extents[(int) (address >>> HeapMemory.EXTENT_SHIFT)];
            return (long) LONG.get(extent, (int) (address & (HeapMemory.EXTENT_SIZE - 1)));
          }

          @Override
          public long counter(long object, int offset) {
            return word(object, offset);
          }
        };
    assertEquals(seen, checked(copied), "the copy differs");
    assertEquals(objects(copied), allocated(copied, extents.length), "what is allocated");
  }

  private long objects(State state) {
    long objects = ACCOUNTS + THREADS + 1;
    for (long thread : threads) {
      objects += state.word(thread, 24) + state.word(thread, 32);
    }
    return objects;
  }

  /** How many slots the bitmaps of all chunks say are used. */
  private static long allocated(State state, int extents) {
    long slots = 0;
    for (int extent = 0; extent < extents; extent++) {
      for (int chunk = 1; chunk < ExtentLayout.CHUNKS; chunk++) {
        long address = ExtentLayout.chunkAddress(extent, chunk);
        long descriptor = state.word(ExtentLayout.descriptorAddress(address), 0);
        if (ExtentLayout.kind(descriptor) == ExtentLayout.KIND_SLOTS) {
          for (int offset = 0; offset < ExtentLayout.SLOTS_OFFSET; offset += 8) {
            slots += Long.bitCount(state.word(address, offset));
          }
        }
      }
    }
    return slots;
  }
}
