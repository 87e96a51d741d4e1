package io.pmstore.core.tx;

import io.pmstore.LatencyHistogram;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a store's transactions do. Each {@link Transaction}, which belongs to one thread,
 * counts in a {@link Cell} of its own, without atomic operations; a reader adds the cells. The cell
 * of a transaction whose thread has ended goes into a sum.
 *
 * <p>Reading the clock twice would cost a short transaction some percent of its time. So a thread
 * times one transaction in {@value #TIMED_ONE_IN} on average, at random distances, so that no
 * rhythm of the program is in step with it. It begins with each one, and returns to that after one
 * that took {@value #LONG_NANOS} ns or more. What was timed counts for the commits of its thread
 * since the last one that was.
 *
 * <p>Thread-safe, except cells, which one thread changes.
 */
public final class TransactionCounts {
  // What is counted: numbers of counters.
  static final int COMMITS = 0;
  static final int READ_ONLY = 1;
  static final int ROLLBACKS = 2;
  static final int CONFLICTS = 3;
  static final int ALONE_RUNS = 4;
  static final int OBJECTS_WRITTEN = 5;
  static final int OBJECTS_MADE = 6;
  static final int BYTES_MADE = 7;
  static final int RECORD_BYTES = 8;
  private static final int COUNTERS = 9;

  static final int TIMED_ONE_IN = 256;
  static final long LONG_NANOS = 20_000;

  private static final int CACHE_LINE = 64 / Long.BYTES;
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final Set<Cell> cells = new HashSet<>(); // guarded by this, as the next ones
  private final ReferenceQueue<Transaction> ended = new ReferenceQueue<>();
  private final long[] endedSums = new long[COUNTERS];

  private final AtomicLongArray latencies = new AtomicLongArray(LatencyHistogram.BUCKETS);
  private final LongAdder latencySumNanos = new LongAdder();
  private final AtomicLong latencyMaxNanos = new AtomicLong();

  /** The counters of one transaction object. */
  static final class Cell extends WeakReference<Transaction> {
    private final TransactionCounts all;
    // In the middle of two cache lines, which no other thread's cell shares.
    private final long[] words = new long[CACHE_LINE + COUNTERS + CACHE_LINE];
    private long random;
    private int meanDistance = 1;
    // The next one is timed when the commits have come to this. So a commit needs no count of its
    // own for it.
    private long timeAt;
    private long commitsTimed; // up to and with the last one that was timed

    private Cell(TransactionCounts all, Transaction transaction) {
      super(transaction, all.ended);
      this.all = all;
      this.random = System.identityHashCode(this) | 1L;
    }

    void add(int counter, long n) {
      int i = CACHE_LINE + counter;
      WORD.setOpaque(words, i, words[i] + n);
    }

    /**
     * Counts a commit.
     *
     * @param objects that it has made or changed
     * @param bytes of its record, without the header
     */
    void committed(int objects, long bytes) {
      // Plain writes, which take two thirds of the time of opaque ones. Readers see them soon: each
      // transaction has fences, and a 64-bit JVM writes a long at once.
      long[] counted = words;
      counted[CACHE_LINE + RECORD_BYTES] += bytes;
      counted[CACHE_LINE + COMMITS]++;
      counted[CACHE_LINE + OBJECTS_WRITTEN] += objects;
    }

    /** Notes that a transaction has ended without a commit: the next timed one is nearer by it. */
    void endedWithoutCommit() {
      timeAt--;
    }

    private long get(int counter) {
      return (long) WORD.getOpaque(words, CACHE_LINE + counter);
    }

    /** Returns the time if the transaction that begins is to be timed, and else 0. */
    long begin() {
      return words[CACHE_LINE + COMMITS] < timeAt ? 0 : System.nanoTime() | 1; // never 0
    }

    /**
     * Notes a transaction that was to be timed, and is acknowledged now. It was counted before.
     *
     * @param began what {@link #begin} returned
     * @param committed true if it has changed the store: only these are in the histogram
     */
    void timed(long began, boolean committed) {
      long nanos = System.nanoTime() - began;
      long commits = words[CACHE_LINE + COMMITS];
      if (committed) {
        all.took(nanos, commits - commitsTimed);
        commitsTimed = commits;
      }
      meanDistance = nanos >= LONG_NANOS ? 1 : Math.min(meanDistance * 2, TIMED_ONE_IN);
      timeAt = commits + distance() - 1; // at a distance of 1 it is the next one
    }

    /** Returns a number from 1 to twice the mean, by a generator of Marsaglia's (2003). */
    private int distance() {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      return 1 + (int) ((random >>> 1) % (2 * meanDistance - 1));
    }
  }

  /** Makes the cell of a transaction. */
  synchronized Cell cell(Transaction transaction) {
    addEnded();
    Cell made = new Cell(this, transaction);
    cells.add(made);
    return made;
  }

  private void addEnded() {
    for (var cell = ended.poll(); cell != null; cell = ended.poll()) {
      if (cells.remove(cell)) {
        add((Cell) cell, endedSums);
      }
    }
  }

  private static void add(Cell cell, long[] sums) {
    for (int i = 0; i < COUNTERS; i++) {
      sums[i] += cell.get(i);
    }
  }

  /** Returns the sums of all counters, by their numbers. */
  synchronized long[] sums() {
    addEnded();
    long[] sums = endedSums.clone();
    for (Cell cell : cells) {
      add(cell, sums);
    }
    return sums;
  }

  private void took(long nanos, long commits) {
    latencies.addAndGet(LatencyHistogram.bucket(nanos), commits);
    latencySumNanos.add(nanos * commits);
    if (nanos > latencyMaxNanos.get()) {
      latencyMaxNanos.accumulateAndGet(nanos, Math::max);
    }
  }

  LatencyHistogram latency() {
    long[] counts = new long[LatencyHistogram.BUCKETS];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = latencies.get(i);
    }
    return new LatencyHistogram(counts, latencySumNanos.sum(), latencyMaxNanos.get());
  }
}
