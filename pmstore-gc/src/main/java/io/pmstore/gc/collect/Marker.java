package io.pmstore.gc.collect;

import io.pmstore.gc.trace.MarkBits;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Marks what can be reached while transactions change what that is.
 *
 * <p>A marked object is either traced (all that it refers to is marked) or waits to be: on the
 * stack, in the bits of those that the stack had no room for, or among those that commits have
 * linked. A commit says so of each object that it makes a reference to, before the reference is
 * there. So no reference ever leads from a traced object to an unmarked one.
 *
 * <p>Memory: the marks; at most 8 MiB for the stack; a bit for every 8 bytes, in the extents with
 * objects that the stack had no room for; an entry for each linked object that was not marked yet.
 *
 * <p>{@link #linked} and {@link #born} are for any number of threads, all else for one.
 */
final class Marker {
  /** Shows the references of an object. */
  @FunctionalInterface
  interface References {
    /** As {@link io.pmstore.core.heap.ReferenceReader#forEach}. */
    void forEach(long object, LongConsumer visitor);
  }

  /** How many objects the stack has room for. */
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

  // ---- what commits tell

  /** Marks an object that is about to be referred to from one more place, and has it traced. */
  void linked(long object) {
    if (marks.set(object)) {
      linked.put(object, 0);
    }
  }

  /** Marks an object that is about to be made; the commit tells of all that it refers to. */
  void born(long object) {
    marks.set(object);
  }

  // ---- tracing

  /** Marks an object; if it was not marked before, it will be traced. */
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

  /**
   * Traces some objects.
   *
   * @param most how many
   * @return false if none is left
   */
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
   * Has what commits have linked traced.
   *
   * @return false if they have linked nothing that was not marked
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
