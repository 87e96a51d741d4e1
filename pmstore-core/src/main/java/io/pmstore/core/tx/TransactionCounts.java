package io.pmstore.core.tx;

import io.pmstore.LatencyHistogram;
import io.pmstore.StoreMetrics;
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
 * rhythm of the program is in step with it. It starts by timing each transaction, and does so again
 * after one that took {@value #LONG_NANOS} ns or more. A timed commit counts for all commits of its
 * thread since the last timed one.
 *
 * <p>Thread-safe, except cells, which one thread changes.
 */
public final class TransactionCounts {
  // What is counted: numbers of counters.
  static final int COMMITS = 0;
  static final int OBJECTS_WRITTEN = 1;
  static final int RECORD_BYTES = 2;
  private static final int COMMIT_COUNTERS = 3; // those before
  static final int READ_ONLY = 3;
  static final int ROLLBACKS = 4;
  static final int CONFLICTS = 5;
  static final int ALONE_RUNS = 6;
  static final int OBJECTS_MADE = 7;
  static final int BYTES_MADE = 8;
  private static final int COUNTERS = 9;

  static final int TIMED_ONE_IN = 1024;
  static final long LONG_NANOS = 20_000;

  private static final VarHandle COMMITS_HERE = counter("commits");
  private static final VarHandle OBJECTS_HERE = counter("objectsWritten");
  private static final VarHandle BYTES_HERE = counter("recordBytes");
  private static final VarHandle OTHER = MethodHandles.arrayElementVarHandle(long[].class);

  private final Set<Cell> cells = new HashSet<>(); // guarded by this, as the next ones
  private final ReferenceQueue<Transaction> ended = new ReferenceQueue<>();
  private final long[] endedSums = new long[COUNTERS];

  private final AtomicLongArray latencies = new AtomicLongArray(LatencyHistogram.BUCKETS);
  private final LongAdder latencySumNanos = new LongAdder();
  private final AtomicLong latencyMaxNanos = new AtomicLong();

  private static VarHandle counter(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(CommitCounters.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The counters of one transaction object that each commit changes. Only its thread writes them,
   * with plain writes, which take two thirds of the time of opaque ones. Readers see them soon:
   * each transaction has fences, and a 64-bit JVM writes a long at once.
   */
  @SuppressWarnings("UnusedVariable") // handles read them
  abstract static class CommitCounters extends WeakReference<Transaction> {
    long commits;
    long objectsWritten;
    long recordBytes;
    // The next one is timed when the commits have come to this. So a commit needs no count of its
    // own for it.
    long timeAt;

    CommitCounters(Transaction transaction, ReferenceQueue<Transaction> ended) {
      super(transaction, ended);
    }
  }

  /** The counters of one transaction object. */
  static final class Cell extends CommitCounters {
    // Lies between the counters above and those of the cell behind, which another thread writes.
    @SuppressWarnings("unused")
    private long pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8;

    private final TransactionCounts all;
    private final long[] others = new long[COUNTERS - COMMIT_COUNTERS];
    private long random;
    private int meanDistance = 1;
    private long commitsTimed; // up to and with the last one that was timed

    private Cell(TransactionCounts all, Transaction transaction) {
      super(transaction, all.ended);
      this.all = all;
      this.random = System.identityHashCode(this) | 1L;
    }

    /** Adds to a counter that {@link #committed} does not change. */
    void add(int counter, long n) {
      int i = counter - COMMIT_COUNTERS;
      OTHER.setOpaque(others, i, others[i] + n);
    }

    /**
     * Counts a commit.
     *
     * @param objects that it has made or changed
     * @param bytes of its record, without the header
     */
    void committed(int objects, long bytes) {
      recordBytes += bytes;
      objectsWritten += objects;
      commits++;
    }

    /** Notes that a transaction has ended without a commit: the next timed one is nearer by it. */
    void endedWithoutCommit() {
      timeAt--;
    }

    private long get(int counter) {
      return switch (counter) {
        case COMMITS -> (long) COMMITS_HERE.getOpaque(this);
        case OBJECTS_WRITTEN -> (long) OBJECTS_HERE.getOpaque(this);
        case RECORD_BYTES -> (long) BYTES_HERE.getOpaque(this);
        default -> (long) OTHER.getOpaque(others, counter - COMMIT_COUNTERS);
      };
    }

    /** Returns the time if the transaction that begins is to be timed, and else 0. */
    long begin() {
      return commits < timeAt ? 0 : System.nanoTime() | 1; // never 0
    }

    /**
     * Notes a transaction that was to be timed, and is acknowledged now. It was counted before.
     *
     * @param began what {@link #begin} returned
     * @param committed true if it has changed the store: only these are in the histogram
     */
    void timed(long began, boolean committed) {
      long nanos = System.nanoTime() - began;
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

  /**
   * What transactions have done since the store was opened.
   *
   * @param transactions what ran
   * @param objectsMade objects that commits made
   * @param bytesMade the space that they took
   * @param recordBytes the size of the commits' records, without headers
   */
  public record Counted(
      StoreMetrics.Transactions transactions, long objectsMade, long bytesMade, long recordBytes) {}

  /** Returns what was counted, with the numbers of transactions and snapshots that run now. */
  Counted counted(int active, int snapshots) {
    long[] sums = sums();
    return new Counted(
        new StoreMetrics.Transactions(
            sums[COMMITS],
            sums[READ_ONLY],
            sums[ROLLBACKS],
            sums[CONFLICTS],
            sums[ALONE_RUNS],
            active,
            snapshots,
            sums[OBJECTS_WRITTEN],
            latency()),
        sums[OBJECTS_MADE],
        sums[BYTES_MADE],
        sums[RECORD_BYTES]);
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
