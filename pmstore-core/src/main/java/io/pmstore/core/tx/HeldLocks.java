package io.pmstore.core.tx;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The locks that a commit holds. It takes them in sorted order, so commits cannot deadlock. Used by
 * one thread; reused from one commit to the next.
 */
final class HeldLocks {
  /** The bytes that the arrays take for each lock at most, the old ones while they grow too. */
  static final int BYTES = 3 * (Integer.BYTES + Long.BYTES);

  private static final int CAPACITY_MIN = 16;
  private static final int KEPT_MAX = 1 << 16;
  private static final AtomicLong OWNERS = new AtomicLong();

  private final long owner = OWNERS.incrementAndGet();
  private final LockTable table;
  private int[] locks = new int[CAPACITY_MIN];
  private long[] words = new long[CAPACITY_MIN]; // of these locks, from before they were taken
  private int count;

  HeldLocks(LockTable table) {
    this.table = table;
  }

  /** Forgets the locks that an earlier commit wanted. */
  void clear() {
    count = 0;
    if (locks.length > KEPT_MAX) {
      locks = new int[CAPACITY_MIN];
      words = new long[CAPACITY_MIN];
    }
  }

  /** Adds the lock of an address to those that {@link #lock} takes. */
  void want(long address) {
    if (count == locks.length) {
      int[] larger = Arrays.copyOf(locks, count * 2);
      words = new long[count * 2]; // first: without memory for it the arrays stay equally long
      locks = larger;
    }
    locks[count++] = LockTable.index(address);
  }

  /**
   * Takes all wanted locks, waiting for those that other commits hold. If the wait throws, because
   * the stack or the memory ends, none is held.
   */
  void lock() {
    Arrays.sort(locks, 0, count);
    int wanted = count;
    count = 0;
    try {
      lock(wanted);
    } catch (Throwable t) {
      unlockUnchanged();
      throw t;
    }
  }

  private void lock(int wanted) {
    for (int i = 0; i < wanted; i++) {
      int lock = locks[i];
      if (count == 0 || locks[count - 1] != lock) {
        long word;
        do {
          word = table.awaitFree(lock);
        } while (!table.tryLock(lock, word, owner));
        locks[count] = lock;
        words[count++] = word;
      }
    }
  }

  /** Returns the word of a lock: for one that is held here, the word from before it was taken. */
  long wordBefore(int lock) {
    long word = table.word(lock);
    return LockTable.isOwner(word, owner)
        ? words[Arrays.binarySearch(locks, 0, count, lock)]
        : word;
  }

  /** Frees the locks after a commit, whose position becomes their version. */
  void unlock(long position) {
    for (int i = 0; i < count; i++) {
      table.unlock(locks[i], position);
    }
    count = 0;
  }

  /** Frees the locks after a failed commit, with the versions that they had before. */
  void unlockUnchanged() {
    for (int i = 0; i < count; i++) {
      table.unlock(locks[i], LockTable.version(words[i]));
    }
    count = 0;
  }
}
