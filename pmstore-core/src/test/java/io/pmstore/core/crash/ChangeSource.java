package io.pmstore.core.crash;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.UnitHistory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes random changes. Most are of few words; some fill pages, and a few are so large that the log
 * needs its next segment soon.
 *
 * <pre>
 *   8 KiB  markers    128 KiB  own pages of each thread    512 KiB  shared pages with counters
 *   1 MiB  large ranges of each thread    end of the first extent: a shared region in two extents
 * </pre>
 */
final class ChangeSource {
  private static final int COUNTERS = 16; // at the start of a shared region
  private static final long OWN = 128 << 10;
  private static final long OWN_SIZE = 32 << 10;
  private static final long SHARED = 512 << 10;
  private static final long SHARED_SIZE = 16 << 10;
  private static final int SHARED_COUNT = 4;
  private static final long LARGE = 1 << 20;
  private static final long LARGE_SIZE = 1280 << 10;

  /** The bytes of a heap that changes need at least. */
  static final long ROOM = 8 << 20;

  private static final int SPARSE = 4096;

  private static final int EQUAL_WORDS = 12_000;

  private final SplittableRandom random;
  private final Kind kind;
  private final List<ReentrantLock> locks = new ArrayList<>();

  /** What the changes are like. */
  enum Kind {
    /** Of few words, now and then of hundreds. */
    SMALL(Integer.MAX_VALUE),
    /** Half of them are larger than a log record can be, so that the log runs full. */
    LARGE(2),
    /** All of one size, ten to a segment of the log: where one ended, another may start. */
    EQUAL(Integer.MAX_VALUE);

    private final int largeOneIn;

    Kind(int largeOneIn) {
      this.largeOneIn = largeOneIn;
    }
  }

  /** Starts. */
  ChangeSource(long seed, Kind kind) {
    this.random = new SplittableRandom(seed);
    this.kind = kind;
    for (int i = 0; i <= SHARED_COUNT; i++) {
      locks.add(new ReentrantLock());
    }
  }

  /** Commits a change; the caller's engine is told of it under the locks that it needs. */
  @FunctionalInterface
  interface Committer {
    void commit(Change change);
  }

  /**
   * Makes a thread's next change and has it committed, alone among those that touch the same bytes.
   *
   * @param heapSize what the change may touch
   */
  void next(int thread, Commits commits, long heapSize, Committer committer) {
    Change change = new Change(thread, commits.nextNumber(thread));
    change.put(Commits.marker(thread), words(1, change.number()));
    if (kind == Kind.EQUAL) {
      change.put(LARGE + thread * LARGE_SIZE, sparseWords(EQUAL_WORDS));
      committer.commit(change);
      return;
    }
    if (random.nextInt(kind.largeOneIn) == 0) {
      int words = 20_000 + random.nextInt(130_000);
      change.put(LARGE + thread * LARGE_SIZE, sparseWords(words));
    }
    int ranges = random.nextInt(3);
    for (int i = 0; i < ranges; i++) {
      // Ranges of one change do not overlap: each has its part of the thread's pages.
      put(change, OWN + thread * OWN_SIZE + i * (OWN_SIZE / 2), OWN_SIZE / 2);
    }
    int shared = random.nextInt(2 * SHARED_COUNT);
    boolean twoExtents = heapSize > HeapMemory.EXTENT_SIZE;
    if (shared > SHARED_COUNT || (shared == SHARED_COUNT && !twoExtents)) {
      committer.commit(change);
      return;
    }
    ReentrantLock lock = locks.get(shared);
    lock.lock();
    try {
      if (shared == SHARED_COUNT) {
        put(change, HeapMemory.EXTENT_SIZE - SHARED_SIZE / 2, SHARED_SIZE);
      } else {
        long region = SHARED + shared * SHARED_SIZE;
        change.delta(region, random.nextInt(100) - 30, 0, 0);
        change.delta(region + 8, 0, random.nextLong(), random.nextLong());
        put(change, region + COUNTERS, SHARED_SIZE - COUNTERS);
      }
      committer.commit(change);
    } finally {
      lock.unlock();
    }
  }

  private void put(Change change, long from, long size) {
    int words = random.nextInt(12) == 0 ? 1 + random.nextInt(600) : 1 + random.nextInt(20);
    long address = from + 8L * random.nextInt((int) (size / 8) - words + 1);
    change.put(address, words(words, random.nextLong()));
  }

  /** Zeros with a few words in between: large in the log, but not in the images of its files. */
  private byte[] sparseWords(int count) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = random.nextInt(SPARSE); i < count; i += 1 + random.nextInt(2 * SPARSE)) {
      bytes.putLong(8 * i, random.nextLong());
    }
    return bytes.array();
  }

  private static byte[] words(int count, long first) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(first);
    while (bytes.hasRemaining()) {
      first += 0x9E3779B97F4A7C15L;
      bytes.putLong(UnitHistory.mix(first));
    }
    return bytes.array();
  }
}
