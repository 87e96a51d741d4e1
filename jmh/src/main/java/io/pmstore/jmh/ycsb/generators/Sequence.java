package io.pmstore.jmh.ycsb.generators;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers of inserted items. Threads take one each; it counts as there once it and all before
 * it are acknowledged. Safe for use by any number of threads.
 */
public final class Sequence {
  private final AtomicLong next;
  private final TreeSet<Long> ahead = new TreeSet<>();
  private volatile long count;

  /**
   * Begins after items that are there.
   *
   * @param count how many
   */
  public Sequence(long count) {
    this.count = count;
    next = new AtomicLong(count);
  }

  /** Takes the next number, of which the caller inserts the item. */
  public long take() {
    return next.getAndIncrement();
  }

  /**
   * Records that an item exists.
   *
   * @param number which was taken
   */
  public synchronized void acknowledge(long number) {
    ahead.add(number);
    while (ahead.remove(count)) {
      count++;
    }
  }

  /** How many items are there: all items with a smaller number. */
  public long count() {
    return count;
  }
}
