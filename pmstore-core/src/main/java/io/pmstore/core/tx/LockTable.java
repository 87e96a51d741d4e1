package io.pmstore.core.tx;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Versioned locks, in memory only, hashed by address, as in TL2 (Dice, Shalev, Shavit 2006). Safe
 * for use by any number of threads.
 *
 * <pre>
 *   63                                       1  0
 *  +-----------------------------------------+---+
 *  | position of the last commit, or owner   | L |     L = 1: locked by that owner
 *  +-----------------------------------------+---+
 * </pre>
 *
 * <p>The version of a lock is the position, in the order of commits, of the last commit that
 * changed something under it. All versions are 0 when the store opens. Two objects with the same
 * lock cause needless conflicts, but no errors.
 */
public final class LockTable {
  private static final int BLOCK_SHIFT = 16;
  private static final int SIZE_SHIFT = 18;
  private static final int SIZE = 1 << SIZE_SHIFT;
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final Engine engine;
  private final long[] words = new long[SIZE];

  /**
   * Creates a table of free locks.
   *
   * @param engine whose failure ends every wait: the holder of a lock may never return from it then
   */
  LockTable(Engine engine) {
    this.engine = engine;
  }

  /** Returns the number of locks. */
  static int size() {
    return SIZE;
  }

  /**
   * Returns the index of an address's lock. The words of a block of 64 KiB have adjacent locks, so
   * objects that are made together have versions that the processor caches together, and two locks
   * share a cache line only where the words that they guard do. Each block starts at an index of
   * its own, so equal offsets in two blocks have different locks.
   */
  static int index(long address) {
    long start = ((address >>> BLOCK_SHIFT) * 0x9E3779B97F4A7C15L) >>> -SIZE_SHIFT;
    return (int) ((address >>> 3) + start) & (SIZE - 1);
  }

  /** Returns the word of a lock, with acquire semantics. */
  long word(int index) {
    return (long) WORD.getAcquire(words, index);
  }

  static boolean isLocked(long word) {
    return (word & 1) != 0;
  }

  /** Returns the version in the word of a free lock. */
  static long version(long word) {
    return word >>> 1;
  }

  static boolean isOwner(long word, long owner) {
    return word == (owner << 1 | 1);
  }

  /** Takes a lock whose word was read as free; returns false if the word has changed. */
  boolean tryLock(int index, long word, long owner) {
    return WORD.compareAndSet(words, index, word, owner << 1 | 1);
  }

  /** Frees a lock, giving it the version of the commit that held it. */
  void unlock(int index, long version) {
    WORD.setRelease(words, index, version << 1);
  }

  /** Gives a lock at least {@code version}, after its holder, if there is one, has freed it. */
  void raise(int index, long version) {
    long word;
    do {
      word = awaitFree(index);
    } while (version(word) < version && !WORD.compareAndSet(words, index, word, version << 1));
  }

  /**
   * Waits until a lock is free; returns its word. The holder is committing, and waits for no thread
   * that waits here.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  long awaitFree(int index) {
    long word = word(index);
    return isLocked(word) ? awaitUnlock(index) : word;
  }

  /**
   * Returns a version that changes when an object does, for reads outside transactions. Waits for a
   * commit that holds the object's lock.
   *
   * @param object the object's address
   * @throws io.pmstore.StoreFailedException if the engine fails before that commit has ended
   */
  public long versionOf(long object) {
    return awaitFree(index(object));
  }

  /**
   * Returns true if an object has not changed, and no commit is changing it.
   *
   * @param object the object's address
   * @param version what {@link #versionOf} returned before the reads
   * @return true if those reads are of one committed state
   */
  public boolean isUnchanged(long object, long version) {
    VarHandle.loadLoadFence();
    return word(index(object)) == version;
  }

  /**
   * Gives an object at least a version, before other threads can reach it in a new way.
   *
   * @param object the object's address
   * @param version what {@link #versionOf} returned of an object that was changed by a commit which
   *     changed or made this one too
   */
  public void raiseTo(long object, long version) {
    raise(index(object), version(version));
  }

  private long awaitUnlock(int index) {
    Backoff backoff = new Backoff();
    while (true) {
      backoff.pause();
      long word = word(index);
      if (!isLocked(word)) {
        return word;
      }
      engine.checkUsable();
    }
  }
}
