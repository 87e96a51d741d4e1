package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreClosedException;
import io.pmstore.core.memory.HeapMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The multi-threaded part of an engine's contract. Words that several threads change have a lock,
 * as the contract demands: write sets that are committed at the same time do not overlap.
 */
public abstract class EngineConcurrencyTest extends EngineFixture {
  private static final int THREADS = 8;
  private static final int COUNTERS = 4;

  /**
   * How many commits each thread makes; fewer where a commit waits for a disk.
   *
   * @return the number
   */
  protected int commitsPerThread() {
    return 1000;
  }

  /** Runs one task on each of several threads at once, and gives their results. */
  private static <T> List<T> race(boolean virtual, IntFunction<Callable<T>> task) throws Exception {
    try (ExecutorService threads =
        virtual
            ? Executors.newVirtualThreadPerTaskExecutor()
            : Executors.newFixedThreadPool(THREADS)) {
      CountDownLatch start = new CountDownLatch(THREADS);
      List<Future<T>> futures = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Callable<T> mine = task.apply(t);
        futures.add(
            threads.submit(
                () -> {
                  start.countDown();
                  start.await();
                  return mine.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }

  @ParameterizedTest(name = "virtual threads: {0}")
  @ValueSource(booleans = {false, true})
  void deltasOfManyThreadsAreAllCounted(boolean virtual) throws Exception {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    int commits = commitsPerThread() / COUNTERS * COUNTERS;
    ReentrantLock[] locks = new ReentrantLock[COUNTERS];
    Arrays.setAll(locks, i -> new ReentrantLock());
    List<long[]> positions =
        race(
            virtual,
            t ->
                () -> {
                  long[] mine = new long[commits];
                  WriteSet writes = new WriteSet();
                  for (int i = 0; i < commits; i++) {
                    int counter = (t + i) % COUNTERS;
                    writes.clear();
                    writes.add(counter(counter), 1);
                    writes.add(BOUNDARY + 64L * counter, -t);
                    if (i / COUNTERS % 2 == 0) {
                      writes.setBits(counter(counter) + 8, 1L << t);
                    } else {
                      writes.clearBits(counter(counter) + 8, 1L << t);
                    }
                    writes.putLong(own(t), i + 1);
                    mine[i] = commit(engine, writes, locks[counter]);
                    assertEquals(i + 1, engine.memory().getLong(own(t)));
                    engine.sync(mine[i]);
                  }
                  return mine;
                });
    for (long[] mine : positions) {
      long[] sorted = mine.clone();
      Arrays.sort(sorted);
      assertArrayEquals(sorted, mine, "positions of one thread grow");
    }
    long[] all = positions.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    for (int i = 1; i < all.length; i++) {
      assertTrue(all[i - 1] < all[i], "two commits at position " + all[i]);
    }
    assertEquals(all[all.length - 1], engine.position());
    engine.close();
    Engine reopened = opened(directory);
    int rounds = commits / COUNTERS;
    for (int counter = 0; counter < COUNTERS; counter++) {
      assertArrayEquals(
          bytes((long) THREADS * rounds, rounds % 2 == 0 ? 0 : (1L << THREADS) - 1),
          read(reopened, counter(counter), 16),
          "counter " + counter);
      assertEquals(
          -(long) rounds * THREADS * (THREADS - 1) / 2,
          reopened.memory().getLong(BOUNDARY + 64L * counter));
    }
    for (int t = 0; t < THREADS; t++) {
      assertEquals(commits, reopened.memory().getLong(own(t)));
    }
  }

  private static long counter(int counter) {
    return START + 16L * counter;
  }

  private static long own(int thread) {
    return START + 1024 + 8L * thread;
  }

  @Test
  void deltasTakeEffectInTheOrderOfPositions() throws Exception {
    Engine engine = openedWithTwoExtents(directory("store"));
    long seed = seed();
    ReentrantLock lock = new ReentrantLock();
    record Last(long[] position, boolean[] set) {}
    List<Last> lasts =
        race(
            false,
            t ->
                () -> {
                  Random random = new Random(seed + t);
                  Last last = new Last(new long[64], new boolean[64]);
                  WriteSet writes = new WriteSet();
                  for (int i = 0; i < commitsPerThread(); i++) {
                    long sparse = random.nextLong();
                    long mask = sparse & random.nextLong();
                    boolean set = random.nextBoolean();
                    writes.clear();
                    if (set) {
                      writes.setBits(START, mask);
                    } else {
                      writes.clearBits(START, mask);
                    }
                    long position = commit(engine, writes, lock);
                    for (int bit = 0; bit < 64; bit++) {
                      if ((mask >>> bit & 1) != 0) {
                        last.position[bit] = position;
                        last.set[bit] = set;
                      }
                    }
                  }
                  return last;
                });
    for (int bit = 0; bit < 64; bit++) {
      long newest = 0;
      boolean expected = false;
      for (Last last : lasts) {
        if (last.position[bit] > newest) {
          newest = last.position[bit];
          expected = last.set[bit];
        }
      }
      assertEquals(expected, (engine.memory().getLong(START) >>> bit & 1) != 0, "bit " + bit);
    }
  }

  /** Commits what others commit too, one by one. */
  private static long commit(Engine engine, WriteSet writes, ReentrantLock lock) {
    lock.lock();
    try {
      return engine.commit(writes);
    } finally {
      lock.unlock();
    }
  }

  @Test
  void noWordIsSeenHalfWritten() throws Exception {
    Engine engine = openedWithTwoExtents(directory("store"));
    int words = 200;
    long start = BOUNDARY - 4 * words;
    AtomicBoolean done = new AtomicBoolean();
    race(
        false,
        t ->
            () -> {
              if (t == 0) {
                byte[] zeros = new byte[8 * words];
                byte[] ones = new byte[8 * words];
                Arrays.fill(ones, (byte) -1);
                try {
                  WriteSet writes = new WriteSet();
                  for (int i = 0; i < 4 * commitsPerThread(); i++) {
                    writes.clear();
                    writes.put(start, i % 2 == 0 ? ones : zeros, 0, 8 * words);
                    engine.commit(writes);
                  }
                } finally {
                  done.set(true);
                }
                return 0L;
              }
              HeapMemory memory = engine.memory();
              long seen = 0;
              while (!done.get()) {
                for (int i = 0; i < words; i++) {
                  long word = memory.getLong(start + 8L * i);
                  assertTrue(word == 0 || word == -1, () -> Long.toHexString(word));
                  seen |= word;
                }
              }
              return seen;
            });
  }

  @Test
  void growingBesideCommits() throws Exception {
    Path directory = directory("store");
    Engine engine = opened(directory);
    engine.grow(HeapMemory.EXTENT_SIZE);
    race(
        false,
        t ->
            () -> {
              WriteSet writes = new WriteSet();
              for (int i = 0; i < 100; i++) {
                if (i % 34 == t) {
                  engine.grow((2 + i / 34) * HeapMemory.EXTENT_SIZE);
                }
                long size = engine.memory().size();
                writes.clear();
                writes.add(size - 8 - 8L * t, 1);
                writes.add(START + 8L * t, 1);
                engine.commit(writes);
              }
              return 0;
            });
    assertEquals(4 * HeapMemory.EXTENT_SIZE, engine.memory().size());
    engine.close();
    Engine reopened = opened(directory);
    for (int t = 0; t < THREADS; t++) {
      assertEquals(100, reopened.memory().getLong(START + 8L * t));
      long sum = 0;
      for (int extent = 1; extent <= 4; extent++) {
        sum += reopened.memory().getLong(extent * HeapMemory.EXTENT_SIZE - 8 - 8L * t);
      }
      assertEquals(100, sum);
    }
  }

  @ParameterizedTest(name = "virtual threads: {0}")
  @ValueSource(booleans = {false, true})
  void closingBesideCommits(boolean virtual) throws Exception {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    HeapMemory memory = engine.memory();
    ReentrantLock lock = new ReentrantLock();
    List<Long> committed =
        race(
            virtual,
            t ->
                () -> {
                  long n = 0;
                  try {
                    while (true) {
                      WriteSet writes = new WriteSet();
                      writes.add(START, 1);
                      commit(engine, writes, lock);
                      n++;
                      if (t == 0 && n == 50) {
                        engine.close();
                      }
                    }
                  } catch (StoreClosedException expected) {
                    return n;
                  }
                });
    assertTrue(unreadable(memory), "memory is taken away");
    long all = committed.stream().mapToLong(n -> n).sum();
    assertEquals(all, opened(directory).memory().getLong(START));
  }

  private static boolean unreadable(HeapMemory memory) {
    try {
      memory.getLong(START);
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  @ParameterizedTest(name = "virtual threads: {0}")
  @ValueSource(booleans = {false, true})
  void anInterruptHarmsNothing(boolean virtual) throws Exception {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    ReentrantLock lock = new ReentrantLock();
    race(
        virtual,
        t ->
            () -> {
              for (int i = 0; i < 50; i++) {
                Thread.currentThread().interrupt();
                WriteSet writes = new WriteSet();
                writes.add(START, 1);
                engine.sync(commit(engine, writes, lock));
                assertTrue(Thread.interrupted(), "the interrupt is not lost");
              }
              return 0;
            });
    engine.close();
    assertEquals(50 * THREADS, opened(directory).memory().getLong(START));
  }

  @Test
  void anExceptionOfATaskIsNotLost() {
    // The suite's own check: a failed assertion on another thread fails the test.
    try {
      race(
          false,
          t ->
              () -> {
                assertEquals(0, t);
                return 0;
              });
    } catch (ExecutionException e) {
      assertTrue(e.getCause() instanceof AssertionError);
      return;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("no exception");
  }
}
