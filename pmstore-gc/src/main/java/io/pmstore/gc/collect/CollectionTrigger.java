package io.pmstore.gc.collect;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides when a collection is worth its cost. Thread-safe.
 *
 * <p>Only a collection can tell that a once shared object is garbage, and such an object may have
 * been the only path to many others. So the trigger counts removed references to shared objects: at
 * most that many of them have become garbage, probably fewer.
 *
 * <p>A collection traces all live objects. It is due when the removed references number a quarter
 * of the live objects. So it traces at most four objects for each removed reference, and garbage
 * stays in proportion to live data. A small heap is traced quickly, but each collection waits for
 * transactions and lists all pinned objects; hence the minimum.
 */
final class CollectionTrigger {
  /** The fewest removed references that make a collection due. */
  static final long LOST_MIN = 10_000;

  /** The number of objects that a collection may trace for each removed reference. */
  static final int TRACED_PER_LOST = 4;

  private final AtomicLong lost = new AtomicLong();
  private volatile long threshold = LOST_MIN;

  /** Counts removed references to shared objects. Returns true if that made a collection due. */
  boolean lost(int count) {
    long now = lost.addAndGet(count);
    long due = threshold;
    return now >= due && now - count < due;
  }

  boolean isDue() {
    return lost.get() >= threshold;
  }

  /** Restarts the count: the collection that begins finds what has become garbage so far. */
  void began() {
    lost.set(0);
  }

  /**
   * Sets the next threshold after a collection.
   *
   * @param liveObjects the number of objects that it found live
   */
  void ended(long liveObjects) {
    threshold = Math.max(LOST_MIN, liveObjects / TRACED_PER_LOST);
  }
}
