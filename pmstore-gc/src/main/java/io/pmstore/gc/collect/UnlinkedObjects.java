package io.pmstore.gc.collect;

import io.pmstore.gc.trace.MarkBits;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Objects that have lost their last reference and were not freed by the commit that removed it. A
 * pinned object is freed when its Java object has been collected, any other in the next step.
 * Objects that were linked again are not freed: the code that frees tests for that.
 *
 * <p>{@link #add} is thread-safe; all other methods are for one thread.
 */
final class UnlinkedObjects {
  /** Frees some unlinked objects. */
  @FunctionalInterface
  interface Freeing {
    /** See {@link io.pmstore.core.heap.Reclamation#freeUnlinked}. */
    boolean free(long[] objects, int count, long since);
  }

  /**
   * The most objects that wait to be freed; they take 8 MiB of Java heap. A collection finds the
   * rest.
   */
  static final int WAITING_MAX = 1 << 18;

  /** The most objects that one transaction frees. */
  static final int BATCH = 256;

  /** An object that waits until its Java object has been collected. */
  private static final class Pinned extends PhantomReference<Object> {
    final long address;
    long position;

    Pinned(Object object, ReferenceQueue<Object> queue, long address, long position) {
      super(object, queue);
      this.address = address;
      this.position = position;
    }
  }

  private final LongFunction<@Nullable Object> javaObjects;
  private final Freeing freeing;
  private final int waitingMax;

  private final AddressInbox inbox = new AddressInbox();
  private final AtomicInteger waiting = new AtomicInteger(); // in the inbox, the list and the batch
  private volatile boolean overflowed;

  private final Map<Long, Pinned> pinned = new HashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  private AddressInbox.@Nullable Entry list; // taken from the inbox

  private final long[] batch = new long[BATCH];
  private int count;
  private long since;
  private @Nullable MarkBits swept;

  /**
   * Creates an empty set.
   *
   * @param javaObjects returns the Java object that pins an address, or null
   */
  UnlinkedObjects(LongFunction<@Nullable Object> javaObjects, Freeing freeing) {
    this(javaObjects, freeing, WAITING_MAX);
  }

  UnlinkedObjects(LongFunction<@Nullable Object> javaObjects, Freeing freeing, int waitingMax) {
    this.javaObjects = javaObjects;
    this.freeing = freeing;
    this.waitingMax = waitingMax;
  }

  /**
   * Adds an object.
   *
   * @param position of the commit that removed its last reference
   * @return true if there are now enough for a transaction
   */
  boolean add(long object, long position) {
    if (waiting.get() >= waitingMax) {
      overflowed = true;
      return false;
    }
    inbox.put(object, position);
    return waiting.incrementAndGet() == BATCH;
  }

  /** Returns true if objects were left out, for a collection to find. */
  boolean isOverflowed() {
    return overflowed;
  }

  /** Notes that a collection begins, which finds what was left out so far. */
  void collectionBegins() {
    overflowed = false;
  }

  /** Frees some objects in one transaction. */
  Progress step() {
    if (count == 0) {
      fillBatch();
    }
    if (count == 0) {
      return list == null && inbox.isEmpty() ? Progress.DONE : Progress.MORE;
    }
    try {
      if (!freeing.free(batch, count, since)) {
        return Progress.WAITS;
      }
    } catch (Throwable t) {
      overflowed = true; // a collection frees what could not be freed here
      endBatch();
      throw t;
    }
    endBatch();
    return Progress.MORE;
  }

  private void endBatch() {
    waiting.addAndGet(-count);
    count = 0;
  }

  private void fillBatch() {
    since = 0;
    addCollected();
    for (int i = 0; i < BATCH && count < BATCH; i++) {
      if (list == null) {
        list = inbox.takeAll();
      }
      AddressInbox.Entry entry = list;
      if (entry == null) {
        return;
      }
      list = entry.next;
      take(entry.address, entry.position);
    }
  }

  private void addCollected() {
    while (count < BATCH) {
      Reference<?> reference = collected.poll();
      if (reference == null) {
        return;
      }
      Pinned ended = (Pinned) reference;
      if (pinned.remove(
          ended.address, ended)) { // otherwise the object waits for a later Java object
        waiting.incrementAndGet();
        take(ended.address, ended.position);
      }
    }
  }

  private void take(long object, long position) {
    if (!isSwept(object)) {
      Object javaObject = javaObjects.apply(object);
      if (javaObject == null) {
        batch[count++] = object;
        since = Math.max(since, position);
        return;
      }
      await(javaObject, object, position);
    }
    waiting.decrementAndGet();
  }

  private void await(Object javaObject, long object, long position) {
    Pinned known = pinned.get(object);
    if (known != null && known.refersTo(javaObject)) {
      known.position = Math.max(known.position, position);
    } else {
      pinned.put(object, new Pinned(javaObject, collected, object, position));
    }
  }

  // ---- beside a sweep

  private boolean isSwept(long object) {
    MarkBits marks = swept;
    return marks != null && !marks.get(object);
  }

  /**
   * Leaves unmarked objects to the sweep, or to the next sweep if this one does not complete. An
   * unmarked object may refer to objects that are freed before it, so nobody may read its
   * references. A marked object does not: everything it reaches is marked too.
   */
  void beginSweep(MarkBits marks) {
    swept = marks;
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (marks.get(batch[i])) {
        batch[kept++] = batch[i];
      }
    }
    waiting.addAndGet(kept - count);
    count = kept;
  }

  /** Ends what {@link #beginSweep} began. */
  void endSweep() {
    try {
      list = unswept(list, unswept(inbox.takeAll(), null));
      pinned.keySet().removeIf(this::isSwept); // its Java object was collected before the sweep
    } finally {
      swept = null;
    }
  }

  /** Returns a list without its swept objects and with another list behind it. */
  private AddressInbox.@Nullable Entry unswept(
      AddressInbox.@Nullable Entry entry, AddressInbox.@Nullable Entry behind) {
    AddressInbox.Entry first = behind;
    AddressInbox.Entry last = null;
    for (; entry != null; entry = entry.next) {
      if (isSwept(entry.address)) {
        waiting.decrementAndGet();
      } else {
        if (last == null) {
          first = entry;
        } else {
          last.next = entry;
        }
        last = entry;
      }
    }
    if (last != null) {
      last.next = behind;
    }
    return first;
  }
}
