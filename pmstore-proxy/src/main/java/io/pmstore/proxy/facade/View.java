package io.pmstore.proxy.facade;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.collection.PersistentList;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import java.lang.ref.Reference;
import java.util.LinkedList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The interface that every generated subclass of a JDK class implements. Such a class shows a
 * persistent collection or a view of one.
 */
public interface View extends EnhancedElements.Shown {
  /** Returns the persistent collection that this shows, or whose view it shows. */
  PersistentCollection pmstoreCollection();

  /** Returns what implements the methods: the collection or a view of it. */
  Object pmstoreTarget();

  /**
   * Returns another object of the same collection, or null: for a facade the facade that was made
   * before it, for a view in reverse what it shows in reverse.
   */
  @Nullable View pmstoreNext();

  /** Lists do, except linked ones. */
  @Override
  @SuppressWarnings("unchecked") // the elements are the object's
  default void pmstoreChangeThrough(EnhancedCollection object) {
    if (pmstoreTarget() instanceof PersistentList<?> list
        && object instanceof List<?> changed
        && !(object instanceof LinkedList)) {
      ((PersistentList<@Nullable Object>) list).changeThrough((List<@Nullable Object>) changed);
    }
  }

  /** Returns the target of a view of a list. */
  @SuppressWarnings("unchecked") // generated code knows no types of elements
  static List<@Nullable Object> list(View view) {
    return (List<@Nullable Object>) view.pmstoreTarget();
  }

  /** Runs an operation that writes, as the operations of the collection do. */
  static <T extends @Nullable Object> T write(View view, Supplier<T> operation) {
    try {
      return ((HeapObject) view.pmstoreCollection().pmstoreHandle()).heap().write(operation);
    } finally {
      Reference.reachabilityFence(view);
    }
  }

  /** Runs reads that see one state. */
  static <T extends @Nullable Object> T read(View view, Supplier<T> reads) {
    try {
      return ((HeapObject) view.pmstoreCollection().pmstoreHandle()).heap().read(reads);
    } finally {
      Reference.reachabilityFence(view);
    }
  }
}
