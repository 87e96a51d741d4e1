package io.pmstore.spi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
  }

  /** A transaction of the thread that has taken over plain collections. */
  public interface Transaction {

    /**
     * Stores the contents of a plain collection, if the transaction has taken it over.
     *
     * @param plain the collection, which enhanced code has just changed
     * @throws io.pmstore.NotPersistableException if they cannot be stored
     */
    void changed(Object plain);

    /**
     * Returns the store's collection that has taken over a plain one.
     *
     * @param plain the plain collection
     * @return the store's; null if the transaction has not taken it over
     */
    @Nullable Object takenOver(Object plain);
  }

  private static final CopyOnWriteArrayList<Store> STORES = new CopyOnWriteArrayList<>();

  // Of the transactions that run in a thread and have taken over plain objects.
  @SuppressWarnings("ThreadLocalUsage") // emptied with each transaction
  private static final ThreadLocal<@Nullable List<Transaction>> WATCHING = new ThreadLocal<>();

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

  /**
   * Has a transaction of this thread be told of changes to plain collections.
   *
   * @param transaction the transaction
   */
  public static void watch(Transaction transaction) {
    List<Transaction> watching = WATCHING.get();
    if (watching == null) {
      watching = new ArrayList<>();
      WATCHING.set(watching);
    }
    watching.add(transaction);
  }

  /**
   * Ends {@link #watch}.
   *
   * @param transaction what was given to it
   */
  public static void unwatch(Transaction transaction) {
    List<Transaction> watching = WATCHING.get();
    if (watching != null && watching.remove(transaction) && watching.isEmpty()) {
      WATCHING.remove();
    }
  }

  /**
   * Stores a change to a plain collection that the current transaction has taken over, so that who
   * reads the collection of the store sees it. Enhanced code calls it after each change.
   *
   * @param collection the collection, or null
   * @throws io.pmstore.NotPersistableException if the new contents cannot be stored
   */
  public static void changed(@Nullable Object collection) {
    if (collection != null && isPlain(collection)) {
      for (Transaction transaction : watching()) {
        transaction.changed(collection);
      }
    }
  }

  /**
   * Called for what a method returns that has run as a transaction, before that ends: who called it
   * gets no plain collection that the store has taken over, whose changes would be lost.
   *
   * @param result what the method returned, or null
   * @param type the type that it declares
   * @return the store's collection in place of such a plain one, if it is of that type
   */
  static @Nullable Object returned(@Nullable Object result, Class<?> type) {
    if (result != null && isPlain(result)) {
      for (Transaction transaction : watching()) {
        Object stored = transaction.takenOver(result);
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

  private static List<Transaction> watching() {
    List<Transaction> watching = WATCHING.get();
    return watching == null ? List.of() : List.copyOf(watching);
  }
}
