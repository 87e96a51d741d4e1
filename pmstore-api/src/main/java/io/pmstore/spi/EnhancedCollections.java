package io.pmstore.spi;

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
  }

  private static final CopyOnWriteArrayList<Store> STORES = new CopyOnWriteArrayList<>();

  private EnhancedCollections() {}

  /**
   * Adds a store; the object layer calls it.
   *
   * @param store the store
   */
  public static void add(Store store) {
    STORES.add(Objects.requireNonNull(store));
  }

  /**
   * Removes a store that closes.
   *
   * @param store what was added
   */
  public static void remove(Store store) {
    STORES.remove(store);
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
    for (Store store : STORES) {
      if (store.hasTakenOver(collection)) {
        throw new IllegalStateException(
            "this "
                + collection.getClass().getName()
                + " is the plain collection that an object had before it became persistent; the"
                + " store has its elements, and a change here would be lost: read the collection"
                + " from the object again and change that one, or change a copy of this one");
      }
    }
  }
}
