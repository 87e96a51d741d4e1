package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The read set of a transaction: the locks under which it read, as a set of indexes with open
 * addressing, and the position of its snapshot, at which all of its reads are current. Every read
 * is validated at once. A read of a newer value extends the snapshot or is a conflict; after a
 * conflict the transaction is doomed.
 *
 * <p>Not safe for use by several threads; reused from one transaction to the next.
 */
final class ReadSet {
  private static final int CAPACITY_MIN = 64;
  private static final int TABLE_KEPT_MAX = 256;
  private static final long NONE = -1; // no object's address, and no lock's word

  private final Engine engine;
  private final LockTable locks;
  private int[] table = new int[CAPACITY_MIN]; // index + 1; 0 is free
  private int[] list = new int[CAPACITY_MIN / 2];
  private int size;
  private boolean doomed;
  private long snapshot;
  private long newestSeen;
  private int conflictLock = -1;

  // The object that was read last, if its reads need no more than a comparison of its lock.
  private long lastObject = NONE;
  private int lastLock;
  private long lastWord = NONE;

  ReadSet(Engine engine, LockTable locks) {
    this.engine = engine;
    this.locks = locks;
  }

  /** Begins with a snapshot of the current state. */
  void begin() {
    snapshot = engine.position();
    newestSeen = 0;
  }

  /** Begins a read under a lock; returns the lock's word. The caller then reads the heap. */
  long beginRead(int lock) {
    failIfDoomed();
    long word = locks.word(lock);
    if (LockTable.isLocked(word)) {
      word = locks.awaitFree(lock);
    }
    if (LockTable.version(word) > snapshot) {
      extend();
    }
    return word;
  }

  /** Ends a read; returns false if the caller has to begin it again. */
  boolean endRead(int lock, long word) {
    VarHandle.loadLoadFence();
    if (locks.word(lock) != word) {
      return false;
    }
    add(lock);
    newestSeen = Math.max(newestSeen, LockTable.version(word));
    return true;
  }

  /**
   * Remembers an object that the transaction has not written, whose read has just ended: most reads
   * are of the same object as the one before.
   */
  void remember(long object, int lock, long word) {
    lastObject = object;
    lastLock = lock;
    lastWord = word;
  }

  /** Returns true if the object is the remembered one: a read of it needs no {@link #beginRead}. */
  boolean isLast(long object) {
    return object == lastObject;
  }

  /** Ends a read of the remembered object; returns false if the caller has to begin it anew. */
  boolean endReadOfLast() {
    VarHandle.loadLoadFence();
    return locks.word(lastLock) == lastWord;
  }

  /** Forgets the remembered object: the transaction writes it, or its space may be another's. */
  void forgetLast() {
    lastObject = NONE;
    lastWord = NONE; // a damaged reference can be any number
  }

  /**
   * Returns the position of a commit after which nobody has written an object, provided that this
   * transaction commits.
   */
  long lastWritten(long object) {
    return LockTable.version(beginRead(LockTable.index(object)));
  }

  /** Returns true if an object is as the snapshot shows it, and no commit is changing it. */
  boolean isInSnapshot(long object) {
    long word = locks.word(LockTable.index(object));
    return !LockTable.isLocked(word) && LockTable.version(word) <= snapshot;
  }

  /** Returns the position of the newest commit whose changes this transaction may have seen. */
  long newestSeen() {
    return newestSeen;
  }

  /** Returns true if everything that was read is still current. Waits for commits. */
  boolean isCurrent() {
    return !doomed && areLocksCurrent();
  }

  private boolean areLocksCurrent() {
    for (int i = 0; i < size; i++) {
      if (LockTable.version(locks.awaitFree(list[i])) > snapshot) {
        conflictLock = list[i];
        return false;
      }
    }
    return true;
  }

  /** Returns true if everything that was read is still current, for a commit that holds locks. */
  boolean isCurrent(HeldLocks held) {
    for (int i = 0; i < size; i++) {
      long word = held.wordBefore(list[i]);
      // Not waited for: another commit that holds the lock may itself wait for one that is held
      // here.
      if (LockTable.isLocked(word) || LockTable.version(word) > snapshot) {
        conflictLock = list[i];
        return false;
      }
    }
    return true;
  }

  /**
   * Moves the snapshot to the current position, or throws a conflict if anything that was read has
   * changed.
   */
  private void extend() {
    long now = engine.position();
    if (!areLocksCurrent()) {
      throw conflict();
    }
    snapshot = now;
  }

  /** Dooms the transaction; returns what to throw. */
  TransactionConflict conflict() {
    doomed = true;
    forgetLast(); // its next read throws, as all do
    return TransactionConflict.INSTANCE;
  }

  /** Throws if there was a conflict already, which the body may have caught. */
  void failIfDoomed() {
    if (doomed) {
      throw TransactionConflict.INSTANCE;
    }
  }

  /** Returns the lock of the last conflict, or -1 if it is not known or was returned before. */
  int takeConflictLock() {
    int lock = conflictLock;
    conflictLock = -1;
    return lock;
  }

  private void add(int index) {
    int mask = table.length - 1;
    int i = index & mask;
    while (table[i] != 0) {
      if (table[i] == index + 1) {
        return;
      }
      i = (i + 1) & mask;
    }
    if (size == list.length) {
      expand(); // an error here leaves the set as it was
      add(index);
      return;
    }
    table[i] = index + 1;
    list[size++] = index;
  }

  int size() {
    return size;
  }

  void clear() {
    if (table.length > TABLE_KEPT_MAX && size < table.length >>> 3) {
      // Else every small transaction after a large one would pay for emptying its table.
      table = new int[CAPACITY_MIN];
      list = new int[CAPACITY_MIN / 2];
    } else if (size > 0) {
      Arrays.fill(table, 0);
    }
    size = 0;
    doomed = false;
    forgetLast();
  }

  private void expand() {
    int[] more = new int[size * 4]; // both or none, if memory ends
    list = Arrays.copyOf(list, size * 2);
    table = more;
    int mask = table.length - 1;
    for (int k = 0; k < size; k++) {
      int i = list[k] & mask;
      while (table[i] != 0) {
        i = (i + 1) & mask;
      }
      table[i] = list[k] + 1;
    }
  }
}
