package io.pmstore.gc.collect;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When a collection is worth its while. Safe for use by any number of threads.
 *
 * <p>Of an object that was shared, only a collection can tell that it is not needed any more; and
 * each may have been the only way to many others. So what is counted are references to such objects
 * that were taken away: that many objects may have become garbage, most likely fewer.
 *
 * <p>A collection traces all live objects. It is due when a quarter as many references as there are
 * live objects were taken away, so for each of them it traces four objects at most; and garbage
 * stays in proportion to what is live. A small heap is traced in no time, but each collection waits
 * for transactions and looks at all Java objects of the program: hence the least number.
 */
final class CollectionTrigger {
  /** The least number of references that make a collection due. */
  static final long LOST_MIN = 10_000;

  /** How many objects a collection may trace for each reference. */
  static final int TRACED_PER_LOST = 4;

  private final AtomicLong lost = new AtomicLong();
  private volatile long threshold = LOST_MIN;

  /**
   * Notes that references to shared objects were taken away.
   *
   * @return true if that made a collection due
   */
  boolean lost(int count) {
    long now = lost.addAndGet(count);
    long due = threshold;
    return now >= due && now - count < due;
  }

  boolean isDue() {
    return lost.get() >= threshold;
  }

  /** Counts anew: a collection begins, which finds what became garbage before. */
  void began() {
    lost.set(0);
  }

  /**
   * Notes how much a collection had to trace.
   *
   * @param liveObjects how many objects were live
   */
  void ended(long liveObjects) {
    threshold = Math.max(LOST_MIN, liveObjects / TRACED_PER_LOST);
  }
}
