package io.pmstore.gc.collect;

import io.pmstore.gc.trace.MarkBits;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Marks the reachable objects while transactions change them: incremental marking with an insertion
 * barrier (Dijkstra and others 1978).
 *
 * <p>A marked object is either traced (everything it refers to is marked), or it waits to be: on
 * the stack, in the overflow bits, or among the objects that commits have linked. A commit reports
 * each object to which it adds a reference before it adds the reference. So no reference ever leads
 * from a traced object to an unmarked one.
 *
 * <p>Memory: the marks; at most 8 MiB for the stack; a bit for every 8 bytes in extents with
 * objects that overflowed the stack; an entry for each linked object that was not marked yet.
 *
 * <p>{@link #linked} and {@link #born} are thread-safe; all other methods are for one thread.
 */
final class Marker {
  /** Reads the references of an object. */
  @FunctionalInterface
  interface References {
    /** See {@link io.pmstore.core.heap.ReferenceReader#forEach}. */
    void forEach(long object, LongConsumer visitor);
  }

  /** The capacity of the stack, in objects. */
  static final int STACK_MAX = 1 << 20;

  private final References references;
  private final int stackMax;
  private final MarkBits marks = MarkBits.marks();
  private final AddressInbox linked = new AddressInbox();
  private final LongConsumer reach = this::reach;

  private long[] stack = new long[1024];
  private int depth;
  private final MarkBits postponed = MarkBits.addresses();
  private long postponedCount;
  private long postponedFrom;

  Marker(References references) {
    this(references, STACK_MAX);
  }

  Marker(References references, int stackMax) {
    this.references = references;
    this.stackMax = stackMax;
  }

  MarkBits marks() {
    return marks;
  }

  // ---- what commits report

  /**
   * Marks an object to which a commit is about to add a reference, and schedules it for tracing:
   * first, because nobody would trace a marked object if an error, the end of the stack say, came
   * between. Two commits may both schedule it, which only costs time.
   */
  void linked(long object) {
    if (!marks.get(object)) {
      linked.put(object, 0);
      marks.set(object);
    }
  }

  /** Marks an object that is about to be created; the commit reports everything it refers to. */
  void born(long object) {
    marks.set(object);
  }

  // ---- tracing

  /** Marks an object; schedules it for tracing if it was unmarked. */
  void reach(long object) {
    if (marks.set(object)) {
      push(object);
    }
  }

  private void push(long object) {
    if (depth == stack.length) {
      if (depth >= stackMax) {
        postponed.set(object);
        postponedCount++;
        return;
      }
      stack = Arrays.copyOf(stack, Math.min(depth * 2, stackMax));
    }
    stack[depth++] = object;
  }

  /** Traces at most {@code most} objects. Returns false if none is left. */
  boolean trace(int most) {
    for (int i = 0; i < most; i++) {
      if (depth == 0 && !refill()) {
        return false;
      }
      references.forEach(stack[--depth], reach);
    }
    return true;
  }

  private boolean refill() {
    if (postponedCount > 0) {
      postponedFrom = postponed.take(postponedFrom);
      postponedCount--;
      push(postponedFrom);
    } else {
      takeLinked();
    }
    return depth > 0;
  }

  /**
   * Schedules the linked objects for tracing. Returns false if commits linked no unmarked object.
   */
  boolean takeLinked() {
    AddressInbox.Entry entry = linked.takeAll();
    boolean any = entry != null;
    for (; entry != null; entry = entry.next) {
      push(entry.address);
    }
    return any;
  }
}
