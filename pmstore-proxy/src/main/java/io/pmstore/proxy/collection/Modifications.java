package io.pmstore.proxy.collection;

import java.util.ConcurrentModificationException;

/**
 * Tells iterators and entries of one collection that it was changed through its Java object since
 * they last looked.
 *
 * <p>Nothing here is stored. A change of the structure (an element more or less) makes the
 * iterators of the <em>same thread</em> fail, so that the mistake that the JDK's collections detect
 * is detected here too, while another thread's change never makes an iterator fail. Any change
 * makes what iterators read ahead out of date. The iterators of a concurrent map never fail.
 *
 * <p>Safe for use by any number of threads. Each change is one new object, so thread and change are
 * always seen together.
 */
final class Modifications {
  /** One change; only its identity and its thread matter. */
  static final class Stamp {
    private final long thread = Thread.currentThread().threadId();
  }

  private final boolean failFast;
  private volatile Stamp contents = new Stamp();
  private volatile Stamp structure = contents;

  /**
   * Starts without changes.
   *
   * @param failFast whether iterators are to fail at all
   */
  Modifications(boolean failFast) {
    this.failFast = failFast;
  }

  /** Notes that a value was replaced. */
  void replaced() {
    contents = new Stamp();
  }

  /** Notes that elements came, went or moved. */
  void restructured() {
    Stamp stamp = new Stamp();
    structure = stamp;
    contents = stamp;
  }

  /** The last change of any kind. */
  Stamp contents() {
    return contents;
  }

  /** The last change of the structure. */
  Stamp structure() {
    return structure;
  }

  /**
   * Fails if this thread changed the structure since.
   *
   * @param seen the last change that the caller knows of
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
