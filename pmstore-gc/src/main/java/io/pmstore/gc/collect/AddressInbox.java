package io.pmstore.gc.collect;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Objects that commits hand to the collector: any number of threads put, one takes all. Nobody
 * waits.
 */
final class AddressInbox {
  /** An object; the head of a list of some. */
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
   * Puts an object in.
   *
   * @param position of the commit that it comes from, where that is of interest
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

  /** Takes all out, the first one put in first; null if there are none. */
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
