package io.pmstore.core.tx;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of a thread: its view while a body runs, and a weak reference to the transaction that
 * it used last. Used by its own thread only.
 *
 * <p>Each read and write of a property needs the view, so a table by thread id is a cache in front
 * of the {@link ThreadLocal}. Two threads with the same index in it are slower, and no more.
 *
 * <p>A thread can outlive the store and the class loader of pmstore. So the {@link ThreadLocal} has
 * an array, which is of no class of pmstore and strongly refers to none outside a body.
 */
final class ThreadSlot {
  /** The size of the table, a power of two. */
  static final int CACHED = 1 << 10;

  private static final ThreadLocal<@Nullable Object @Nullable []> KEPT = new ThreadLocal<>();
  private static final int VIEW = 0;
  private static final int USED_LAST = 1;

  // Written without synchronization: an entry's fields are final, and its reader checks the thread.
  private static final @Nullable ThreadSlot[] CACHE = new ThreadSlot[CACHED];

  private final long threadId;
  private final @Nullable Object[] kept;

  private ThreadSlot(long threadId, @Nullable Object[] kept) {
    this.threadId = threadId;
    this.kept = kept;
  }

  /** Returns the slot of the calling thread. */
  static ThreadSlot mine() {
    long id = Thread.currentThread().threadId();
    ThreadSlot cached = CACHE[(int) id & (CACHED - 1)];
    return cached != null && cached.threadId == id ? cached : cache(id);
  }

  private static ThreadSlot cache(long id) {
    @Nullable Object @Nullable [] kept = KEPT.get();
    if (kept == null) {
      kept = new @Nullable Object[2];
      KEPT.set(kept);
    }
    ThreadSlot slot = new ThreadSlot(id, kept);
    CACHE[(int) id & (CACHED - 1)] = slot;
    return slot;
  }

  /** Returns the view of the body that the thread runs, or null. */
  @Nullable View view() {
    return (View) kept[VIEW];
  }

  void setView(@Nullable View view) {
    kept[VIEW] = view;
  }

  /** Returns the transaction that the thread used last, if it still exists, or null. */
  @Nullable Transaction usedLast() {
    return kept[USED_LAST] instanceof WeakReference<?> used
            && used.get() instanceof Transaction transaction
        ? transaction
        : null;
  }

  void setUsedLast(Transaction transaction) {
    kept[USED_LAST] = transaction.reference();
  }
}
