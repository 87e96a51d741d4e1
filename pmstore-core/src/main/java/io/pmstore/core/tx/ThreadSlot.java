package io.pmstore.core.tx;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a thread: its view while a body runs, and a weak reference to the transaction that
 * it used last. Used by its own thread only.
 *
 * <p>Each read and write of a property needs the view, so a table by thread id is a cache in front
 * of the {@link ThreadLocal}. Two threads that share an index are slower, but correct.
 *
 * <p>A thread can outlive the store and the class loader of pmstore. So the {@link ThreadLocal}
 * refers to the slot weakly. While a body runs, the method that runs it refers to the slot.
 */
final class ThreadSlot {
  /** The size of the table, a power of two. */
  static final int CACHED = 1 << 10;

  private static final ThreadLocal<@Nullable WeakReference<ThreadSlot>> KEPT = new ThreadLocal<>();

  // Written without synchronization: an entry's thread id is final, and its reader checks it. Only
  // the thread with that id uses the other fields.
  private static final @Nullable ThreadSlot[] CACHE = new ThreadSlot[CACHED];

  private final long threadId;
  private @Nullable View view;
  private @Nullable WeakReference<Transaction> usedLast;

  private ThreadSlot(long threadId) {
    this.threadId = threadId;
  }

  /** Returns the slot of the calling thread. */
  static ThreadSlot mine() {
    long id = Thread.currentThread().threadId();
    ThreadSlot cached = CACHE[(int) id & (CACHED - 1)];
    return cached != null && cached.threadId == id ? cached : cache(id);
  }

  private static ThreadSlot cache(long id) {
    WeakReference<ThreadSlot> kept = KEPT.get();
    ThreadSlot slot = kept == null ? null : kept.get();
    if (slot == null) {
      slot = new ThreadSlot(id);
      KEPT.set(new WeakReference<>(slot));
    }
    CACHE[(int) id & (CACHED - 1)] = slot;
    return slot;
  }

  /** Returns the view of the body that the thread runs, or null. */
  @Nullable View view() {
    return view;
  }

  void setView(@Nullable View current) {
    view = current;
  }

  /** Returns the transaction that the thread used last, if it still exists, or null. */
  @Nullable Transaction usedLast() {
    WeakReference<Transaction> used = usedLast;
    return used == null ? null : used.get();
  }

  void setUsedLast(Transaction transaction) {
    usedLast = transaction.reference();
  }
}
