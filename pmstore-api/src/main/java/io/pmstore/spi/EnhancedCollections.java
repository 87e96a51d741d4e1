package io.pmstore.spi;

import java.lang.ref.WeakReference;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Changes of plain collections by enhanced code. When an object becomes persistent, the store takes
 * over the contents of its collections: it copies them into collections of its own. A later change
 * of the plain collection would be lost. So enhanced code calls {@link #checkPlain}, which refuses
 * the change, before it changes a collection. Safe for use by any number of threads.
 */
public final class EnhancedCollections {
  /** An open store. Any thread may call its methods. */
  public interface Store {
    /**
     * Returns true if the store has taken over the contents of a plain collection.
     *
     * @param plain the collection
     * @return true if the transaction that took over the contents has committed
     */
    boolean hasTakenOver(Object plain);

    /**
     * Stores the contents of a plain collection, if the calling thread's transaction has taken it
     * over.
     *
     * @param plain the collection, which enhanced code has just changed
     * @throws io.pmstore.NotPersistableException if the contents cannot be stored
     */
    void changed(Object plain);

    /**
     * Returns the store's collection for a plain one that the calling thread's transaction has
     * taken over.
     *
     * @param plain the plain collection
     * @return the store's collection; null if the transaction has not taken over the plain one
     */
    @Nullable Object takenOverNow(Object plain);
  }

  // Weak, so that a store that a program drops without closing it can be collected with its heap.
  private static final CopyOnWriteArrayList<WeakReference<Store>> STORES =
      new CopyOnWriteArrayList<>();

  private EnhancedCollections() {}

  /**
   * Adds an open store. The object layer calls this method.
   *
   * @param store the store, which the caller keeps reachable while it is open
   */
  public static void add(Store store) {
    STORES.removeIf(each -> each.refersTo(null));
    STORES.add(new WeakReference<>(Objects.requireNonNull(store)));
  }

  /**
   * Removes a store that is being closed. The object layer calls this method.
   *
   * @param store the store that was added
   */
  public static void remove(Store store) {
    STORES.removeIf(each -> each.refersTo(store));
  }

  /**
   * Throws if a change of a collection would be lost. Enhanced code calls this method before it
   * changes a collection.
   *
   * @param collection the collection, plain or persistent; this method accepts null
   * @throws IllegalStateException if a store has taken over the contents of the collection
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
   * Returns the store's collection for a plain one that the current transaction has taken over,
   * because later changes of the plain one would be lost. {@link EnhancedMethod} calls this method
   * with the result of a method that ran as a transaction, before the transaction ends.
   *
   * @param result what the method returned, or null
   * @param type the declared type of the result
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
