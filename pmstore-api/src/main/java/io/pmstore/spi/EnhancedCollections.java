package io.pmstore.spi;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Changes of plain collections by enhanced code. When an object becomes persistent, a store takes
 * over what its collections have; the plain collection that the program may still hold is not the
 * store's. Code that the enhancer sees calls {@link #checkPlain} before it changes a collection, so
 * that a change to such a one is refused and not lost. Safe for use by any number of threads.
 */
public final class EnhancedCollections {
  /** A store that is open. */
  public interface Store {
    /**
     * Returns whether the store has the contents of a plain collection. Called by any thread.
     *
     * @param plain the collection
     * @return true if a transaction has committed that made them the store's
     */
    boolean hasTakenOver(Object plain);

    /**
     * Stores the contents of a plain collection, if the thread's transaction has taken it over.
     *
     * @param plain the collection, which enhanced code has just changed
     * @throws io.pmstore.NotPersistableException if they cannot be stored
     */
    void changed(Object plain);

    /**
     * Returns the store's collection for a plain one that the thread's transaction has taken over.
     *
     * @param plain the plain collection
     * @return the store's; null if the transaction has not taken over the plain one
     */
    @Nullable Object takenOverNow(Object plain);
  }

  // Weak, so that a store that a program drops without closing it can be collected with its heap.
  private static final CopyOnWriteArrayList<WeakReference<Store>> STORES =
      new CopyOnWriteArrayList<>();

  private EnhancedCollections() {}

  /**
   * Adds a store; the object layer calls it.
   *
   * @param store the store, which the caller keeps reachable while it is open
   */
  public static void add(Store store) {
    STORES.removeIf(each -> each.refersTo(null));
    STORES.add(new WeakReference<>(Objects.requireNonNull(store)));
  }

  /**
   * Removes a store that closes.
   *
   * @param store what was added
   */
  public static void remove(Store store) {
    STORES.removeIf(each -> each.refersTo(store));
  }

  /**
   * Called before code changes a collection.
   *
   * @param collection the collection, plain or persistent; the call that follows refuses null
   * @throws IllegalStateException if a store has taken over what the collection had; it is
   *     unchanged then
   */
  public static void checkPlain(@Nullable Object collection) {
    if (collection == null || collection instanceof PersistentObject) {
      return;
    }
    for (WeakReference<Store> each : STORES) {
      Store store = each.get();
      if (store != null && store.hasTakenOver(collection)) {
        throw new IllegalStateException(
            "this "
                + collection.getClass().getName()
                + " is the plain collection that an object had before it became persistent; the"
                + " store has its elements, and a change here would be lost: read the collection"
                + " from the object again and change that one, or change a copy of this one");
      }
    }
  }

  /**
   * Stores a change to a plain collection that the current transaction has taken over, so that a
   * reader of the store's collection sees it. Enhanced code calls this method after each change.
   *
   * @param collection the collection, or null
   * @throws io.pmstore.NotPersistableException if the new contents cannot be stored
   */
  public static void changed(@Nullable Object collection) {
    if (collection != null && isPlain(collection)) {
      for (WeakReference<Store> each : STORES) {
        Store store = each.get();
        if (store != null) {
          store.changed(collection);
        }
      }
    }
  }

  /**
   * Replaces a plain collection that the current transaction has taken over by the store's: changes
   * that a caller makes in the plain one later would be lost. {@link EnhancedMethod} calls this
   * method with the result of a method that ran as a transaction, before the transaction ends.
   *
   * @param result what the method returned, or null
   * @param type the type that it declares
   * @return the store's collection if it is of that type; otherwise the result itself
   */
  static @Nullable Object returned(@Nullable Object result, Class<?> type) {
    if (result != null && isPlain(result)) {
      for (WeakReference<Store> each : STORES) {
        Store store = each.get();
        Object stored = store == null ? null : store.takenOverNow(result);
        if (type.isInstance(stored)) {
          return stored;
        }
      }
    }
    return result;
  }

  private static boolean isPlain(Object collection) {
    return (collection instanceof Collection || collection instanceof Map)
        && !(collection instanceof PersistentObject);
  }
}
