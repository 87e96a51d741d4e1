package io.pmstore.proxy.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ConcurrentModificationException;

/**
 * Records the changes of one collection through its Java object, so that iterators and entries
 * notice them.
 *
 * <p>Nothing here is stored. A structural change (an element added, removed or moved) makes the
 * iterators of the <em>same thread</em> fail, which detects the mistake that the JDK's collections
 * detect. Another thread's change never makes an iterator fail. Any change makes the elements that
 * iterators have read ahead out of date. The iterators of a concurrent map never fail.
 *
 * <p>Thread-safe. Each change is one new object, so a reader always sees a change together with its
 * thread.
 */
final class Modifications {
  /** One change. Only its identity and its thread matter. */
  static final class Stamp {
    private final long thread = Thread.currentThread().threadId();
  }

  private static final VarHandle CONTENTS;
  private static final VarHandle STRUCTURE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CONTENTS = lookup.findVarHandle(Modifications.class, "contents", Stamp.class);
      STRUCTURE = lookup.findVarHandle(Modifications.class, "structure", Stamp.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Written without the fence of a volatile write, which waits for all stores before it. Other
  // threads see a change itself when its commit, which has fences, has ended.
  private final boolean failFast;
  private volatile Stamp contents = new Stamp();
  private volatile Stamp structure = contents;

  /**
   * Starts without changes.
   *
   * @param failFast whether iterators fail at all
   */
  Modifications(boolean failFast) {
    this.failFast = failFast;
  }

  /** Notes that a value was replaced. */
  void replaced() {
    CONTENTS.setRelease(this, new Stamp());
  }

  /** Notes that elements were added, removed or moved. */
  void restructured() {
    Stamp stamp = new Stamp();
    STRUCTURE.setRelease(this, stamp);
    CONTENTS.setRelease(this, stamp);
  }

  /** Returns the last change of any kind. */
  Stamp contents() {
    return contents;
  }

  /** Returns the last structural change. */
  Stamp structure() {
    return structure;
  }

  /**
   * Throws if this thread made a structural change after {@code seen}, and no other thread has made
   * one since.
   *
   * @throws ConcurrentModificationException if it did
   */
  void check(Stamp seen) {
    Stamp last = structure;
    if (failFast && last != seen && last.thread == Thread.currentThread().threadId()) {
      throw new ConcurrentModificationException(
          "this thread added or removed elements while it iterated, other than through this"
              + " iterator or view; use the iterator's own methods, or collect the changes and make"
              + " them afterwards");
    }
  }
}
