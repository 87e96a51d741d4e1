package io.pmstore.core.tx;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The locks that a commit holds, taken in sorted order so that commits that wait for each other do
 * not do so in a circle. Used by one thread; reused from one commit to the next.
 */
final class HeldLocks {
  private static final AtomicLong OWNERS = new AtomicLong();

  private final long owner = OWNERS.incrementAndGet();
  private final LockTable table;
  private int[] locks = new int[16];
  private long[] words = new long[16]; // as they were before
  private int count;

  HeldLocks(LockTable table) {
    this.table = table;
  }

  /** Forgets what was wanted for an earlier commit. */
  void clear() {
    count = 0;
  }

  /** Adds the lock of an address to those that {@link #lock} takes. */
  void want(long address) {
    if (count == locks.length) {
      locks = Arrays.copyOf(locks, count * 2);
      words = new long[count * 2];
    }
    locks[count++] = LockTable.index(address);
  }

  /** Takes all wanted locks, waiting for those that other commits hold. */
  void lock() {
    Arrays.sort(locks, 0, count);
    int wanted = count;
    count = 0;
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

  /** The word of any lock, as it was before it was taken here, if it was. */
  long wordBefore(int lock) {
    long word = table.word(lock);
    return LockTable.isOwner(word, owner)
        ? words[Arrays.binarySearch(locks, 0, count, lock)]
        : word;
  }

  /** Frees the locks of a commit that has happened. */
  void unlock(long position) {
    for (int i = 0; i < count; i++) {
      table.unlock(locks[i], position);
    }
    count = 0;
  }

  /** Frees the locks of a commit that has not happened. */
  void unlockUnchanged() {
    for (int i = 0; i < count; i++) {
      table.unlock(locks[i], LockTable.version(words[i]));
    }
    count = 0;
  }
}
