package io.pmstore.gc.collect;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A queue of objects that commits hand to the collector. Any number of threads put, one takes all;
 * no call blocks.
 */
final class AddressInbox {
  /** An object; the head of a list. */
  static final class Entry {
    final long address;
    final long position;
    @Nullable Entry next;

    private Entry(long address, long position) {
      this.address = address;
      this.position = position;
    }
  }

  private final AtomicReference<@Nullable Entry> newest = new AtomicReference<>();

  /**
   * Puts an object.
   *
   * @param position of the commit that it comes from, or any number if nobody needs it
   */
  void put(long address, long position) {
    Entry entry = new Entry(address, position);
    Entry before;
    do {
      before = newest.get();
      entry.next = before;
    } while (!newest.compareAndSet(before, entry));
  }

  boolean isEmpty() {
    return newest.get() == null;
  }

  /** Takes all entries, in the order in which they were put; null if there are none. */
  @Nullable Entry takeAll() {
    Entry oldest = null;
    Entry entry = newest.getAndSet(null);
    while (entry != null) {
      Entry earlier = entry.next;
      entry.next = oldest;
      oldest = entry;
      entry = earlier;
    }
    return oldest;
  }
}
