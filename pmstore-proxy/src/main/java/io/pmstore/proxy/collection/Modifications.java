package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.View;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records the changes of one collection through its Java object, so that iterators and entries
 * notice them.
 *
 * <p>Nothing here is stored. A structural change (an element added, removed or moved) makes the
 * iterators of the <em>same thread</em> fail, which detects the mistake that the JDK's collections
 * detect. Another thread's change never makes an iterator fail, nor does a change that was rolled
 * back. Any change makes the elements that iterators have read ahead out of date. The iterators of
 * a concurrent map never fail.
 *
 * <p>An operation that remembers indexes while it calls the program's functions {@linkplain #watch
 * watches} what they change: it must not overlook a change because another thread made one after
 * it.
 *
 * <p>Thread-safe. Each change is one new object, so a reader always sees a change together with its
 * thread.
 */
final class Modifications {
  /**
   * One change. Its identity, its thread and its transaction matter: a roll-back undoes it. The
   * first change of a transaction that an iterator may notice gets told how that ended, for those
   * that follow. Only the thread that made a change asks whether that is undone.
   */
  static final class Stamp implements Outcome {
    /** Stands for the changes of other threads, none of which makes an iterator fail. */
    private static final Stamp OTHERS = new Stamp();

    static {
      OTHERS.isSeen = true;
    }

    private final long thread = Thread.currentThread().threadId();
    private final Stamp first;
    // The last change before the transaction. Null in its later changes, and once it has committed.
    private @Nullable Stamp before;
    private boolean ended; // the transaction; of the first change
    private boolean isSeen; // by an iterator

    private Stamp() {
      first = this;
      ended = true;
    }

    private Stamp(Stamp last, @Nullable View transaction) {
      if (last.isOfThisThread() && !last.first.ended) {
        first = last.first;
        return;
      }
      first = this;
      Stamp valid = last.valid();
      if (last.isSeen) {
        valid.isSeen = true;
      }
      if (valid.isSeen && transaction != null) {
        before = valid;
        transaction.onOutcome(this);
      } else {
        ended = true; // no iterator goes on after a roll-back
      }
    }

    private boolean isOfThisThread() {
      return thread == Thread.currentThread().threadId();
    }

    @Override
    public void committed() {
      before = null;
      ended = true;
    }

    @Override
    public void rolledBack() {
      ended = true;
    }

    /**
     * Returns this change, or the last one before it that no roll-back has undone. What was before
     * a change of another thread is unknown, because threads may note changes at the same time.
     */
    @SuppressWarnings("ReferenceEquality")
    private Stamp valid() {
      if (!isOfThisThread()) {
        return OTHERS;
      }
      Stamp valid = this;
      while (valid.first.ended) {
        Stamp earlier = valid.first.before;
        if (earlier == null) {
          break;
        }
        valid = earlier;
      }
      if (valid != this) {
        first.before = valid; // keeps no others that were rolled back
      }
      return valid;
    }
  }

  /** What the functions that an operation calls change, in the operation's own thread. */
  final class Watch implements AutoCloseable {
    private final long thread = Thread.currentThread().threadId();
    private final @Nullable IntConsumer replaced;
    private boolean isInvalid;

    private Watch(@Nullable IntConsumer replaced) {
      this.replaced = replaced;
    }

    /**
     * Throws if a function has changed what the operation remembers, unless the collection's
     * iterators never fail either.
     *
     * @throws ConcurrentModificationException if it has
     */
    void check() {
      if (isInvalid && failFast) {
        throw new ConcurrentModificationException(
            "a function changed the collection whose operation called it, so the operation changed"
                + " nothing; have the function compute its result only, and make other changes"
                + " before or after the operation");
      }
    }

    private void noteReplaced(int index) {
      if (replaced == null) {
        isInvalid = true;
      } else {
        replaced.accept(index);
      }
    }

    /** Ends it. */
    @Override
    public void close() {
      unwatch(this);
    }
  }

  /**
   * The end of a transaction that has changed the collection. Other threads may have read, after
   * the changes were noted, what was there before.
   */
  final class Commit implements Outcome {
    private final long thread = Thread.currentThread().threadId();
    private boolean ended; // of interest to its own thread only

    @Override
    public void committed() {
      ended = true;
      COMMIT.setRelease(Modifications.this, this);
    }

    @Override
    public void rolledBack() {
      ended = true;
    }
  }

  private static final VarHandle CONTENTS;
  private static final VarHandle COMMIT;
  private static final VarHandle STRUCTURE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CONTENTS = lookup.findVarHandle(Modifications.class, "contents", Stamp.class);
      COMMIT = lookup.findVarHandle(Modifications.class, "commit", Commit.class);
      STRUCTURE = lookup.findVarHandle(Modifications.class, "structure", Stamp.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Heap heap;
  private final boolean failFast;

  // Written without the fence of a volatile write, which waits for all stores before it. Other
  // threads see a change itself when its commit, which has fences, has ended.
  private volatile Stamp contents = new Stamp();
  private volatile Stamp structure = contents;
  // Not a change of contents: CellCodec.returned asks whether the program has changed them since.
  private volatile @Nullable Commit commit;
  private @Nullable Commit pending; // of one thread, which knows its own
  private volatile List<Watch> watches = List.of(); // of all threads; immutable

  /**
   * Starts without changes.
   *
   * @param failFast whether iterators fail at all
   */
  Modifications(Heap heap, boolean failFast) {
    this.heap = heap;
    this.failFast = failFast;
  }

  /**
   * Notes that one element was replaced.
   *
   * @param index of the element, or -1 for the value of a map's key
   */
  void replaced(int index) {
    noteCommit();
    CONTENTS.setRelease(this, new Stamp());
    for (Watch watch : watches) {
      if (watch.thread == Thread.currentThread().threadId()) {
        watch.noteReplaced(index);
      }
    }
  }

  /** Notes that many elements were replaced. */
  void replacedMany() {
    noteCommit();
    CONTENTS.setRelease(this, new Stamp());
    invalidateWatches();
  }

  /** Notes that elements were added, removed or moved. Runs inside a transaction. */
  void restructured() {
    noteCommit();
    Stamp stamp = failFast ? new Stamp(structure, heap.view()) : new Stamp();
    STRUCTURE.setRelease(this, stamp);
    CONTENTS.setRelease(this, stamp);
    invalidateWatches();
  }

  private void noteCommit() {
    Commit last = pending;
    if (last == null || last.ended || last.thread != Thread.currentThread().threadId()) {
      View transaction = heap.view();
      if (transaction != null) {
        pending = new Commit();
        transaction.onOutcome(pending);
      }
    }
  }

  private void invalidateWatches() {
    for (Watch watch : watches) {
      if (watch.thread == Thread.currentThread().threadId()) {
        watch.isInvalid = true;
      }
    }
  }

  /**
   * Watches what this thread changes until the watch is closed.
   *
   * @param replaced receives the index of each single element that the thread replaces; if it is
   *     null, {@link Watch#check} fails after such a replacement, as after all other changes
   */
  Watch watch(@Nullable IntConsumer replaced) {
    Watch watch = new Watch(replaced);
    synchronized (this) {
      List<Watch> more = new ArrayList<>(watches);
      more.add(watch);
      watches = List.copyOf(more);
    }
    return watch;
  }

  private synchronized void unwatch(Watch closed) {
    List<Watch> rest = new ArrayList<>(watches);
    rest.remove(closed);
    watches = List.copyOf(rest);
  }

  /** Returns the last change of any kind. */
  Stamp contents() {
    return contents;
  }

  /** Returns another object after each commit of changes; null before the first. */
  @Nullable Commit commit() {
    return commit;
  }

  /** Returns the last structural change, for an iterator. */
  Stamp structure() {
    Stamp last = structure;
    last.isSeen = true;
    return last;
  }

  /**
   * Throws if this thread made a structural change after {@code seen} that was not rolled back, and
   * no other thread has made one since.
   *
   * @throws ConcurrentModificationException if it did
   */
  void check(Stamp seen) {
    Stamp last = structure;
    if (failFast && last != seen && isChanged(seen, last.valid())) {
      throw new ConcurrentModificationException(
          "this thread added or removed elements while it iterated, other than through this"
              + " iterator or view; use the iterator's own methods, or collect the changes and make"
              + " them afterwards");
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isChanged(Stamp seen, Stamp last) {
    return last != Stamp.OTHERS && last != seen.valid();
  }
}
