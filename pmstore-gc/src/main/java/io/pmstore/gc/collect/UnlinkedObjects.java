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
 * The objects that have lost their last reference and were not freed by the commit that took it.
 * Those for which a Java object stands are freed when that is collected, the others at the next
 * step; unless they were linked again, which is for those to find out who free.
 *
 * <p>{@link #add} is for any number of threads, all else for one.
 */
final class UnlinkedObjects {
  /** Frees some unlinked objects. */
  @FunctionalInterface
  interface Freeing {
    /** As {@link io.pmstore.core.heap.Reclamation#freeUnlinked}. */
    boolean free(long[] objects, int count, long since);
  }

  /**
   * How many can wait to be freed, in 8 MiB of Java's heap. Beyond that a collection finds them.
   */
  static final int WAITING_MAX = 1 << 18;

  /** How many are freed in one transaction. */
  static final int BATCH = 256;

  /** An object that waits for the end of its Java object. */
  private static final class Held extends PhantomReference<Object> {
    final long address;
    long position;

    Held(Object object, ReferenceQueue<Object> queue, long address, long position) {
      super(object, queue);
      this.address = address;
      this.position = position;
    }
  }

  private final LongFunction<@Nullable Object> javaObjects;
  private final Freeing freeing;
  private final int waitingMax;

  private final AddressInbox inbox = new AddressInbox();
  private final AtomicInteger waiting = new AtomicInteger(); // in the inbox, the list, the batch
  private volatile boolean overflowed;

  private final Map<Long, Held> held = new HashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  private AddressInbox.@Nullable Entry list; // taken from the inbox

  private final long[] batch = new long[BATCH];
  private int count;
  private long since;
  private @Nullable MarkBits swept;

  /**
   * Creates an empty set.
   *
   * @param javaObjects gives the Java object that stands for an address, or null
   * @param freeing frees
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
   * @param object its address
   * @param position of the commit that took its last reference
   * @return true if there is enough now for a transaction
   */
  boolean add(long object, long position) {
    if (waiting.get() >= waitingMax) {
      overflowed = true;
      return false;
    }
    inbox.put(object, position);
    return waiting.incrementAndGet() == BATCH;
  }

  /** Whether some were left out, for a collection to find. */
  boolean isOverflowed() {
    return overflowed;
  }

  /** Notes that a collection begins, which finds what was left out before. */
  void collectionBegins() {
    overflowed = false;
  }

  /** Frees some, in one transaction. */
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
      overflowed = true; // what could not be freed is left to a collection
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
      Held ended = (Held) reference;
      if (held.remove(ended.address, ended)) { // or else a later Java object is waited for
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
    Held known = held.get(object);
    if (known != null && known.refersTo(javaObject)) {
      known.position = Math.max(known.position, position);
    } else {
      held.put(object, new Held(javaObject, collected, object, position));
    }
  }

  // ---- beside a sweep

  private boolean isSwept(long object) {
    MarkBits marks = swept;
    return marks != null && !marks.get(object);
  }

  /**
   * Leaves what is not marked to a sweep, and to the next one if that does not come to its end. It
   * may refer to objects that are freed before it, so nobody must look at its references. What is
   * marked does not: all that it reaches is marked too.
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
    AddressInbox.Entry earlier = list;
    list = null;
    AddressInbox.Entry later = inbox.takeAll();
    addUnswept(earlier);
    addUnswept(later);
    held.keySet().removeIf(this::isSwept); // its Java object was collected before the sweep
    swept = null;
  }

  private void addUnswept(AddressInbox.@Nullable Entry entry) {
    for (; entry != null; entry = entry.next) {
      waiting.decrementAndGet();
      if (!isSwept(entry.address)) {
        add(entry.address, entry.position);
      }
    }
  }
}
