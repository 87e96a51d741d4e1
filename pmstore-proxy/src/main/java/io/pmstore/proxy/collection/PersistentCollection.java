package io.pmstore.proxy.collection;

import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;

/**
 * A collection of a store. These guarantees hold for all of them.
 *
 * <p><b>Transactions.</b> Every operation, a bulk operation and one that takes a function included,
 * is part of the current transaction, or else a transaction of its own. So {@code computeIfAbsent}
 * and the like are atomic, and their functions may run more than once. When an operation outside a
 * transaction returns, its change is as durable as the store's {@link io.pmstore.Durability} says.
 * An operation that throws because of its arguments, or because a function threw, leaves the
 * collection unchanged and the surrounding transaction intact. Plain objects among its arguments
 * and results of its functions are plain then, unless a function has stored them.
 *
 * <p><b>Values.</b> A collection stores what is added: it converts a plain object of a persistent
 * class, and returns its persistent twin. {@code computeIfAbsent}, {@code compute}, {@code
 * computeIfPresent} and {@code merge} return the twin too, not the object that the function made.
 *
 * <p><b>Threads.</b> A collection is thread-safe. An iterator or sublist is for one thread at a
 * time.
 *
 * <p><b>Exceptions.</b> All methods throw {@link io.pmstore.StoreClosedException} when the store is
 * closed, and {@link io.pmstore.RolledBackException} when the transaction that made the collection
 * was rolled back.
 *
 * <p>A collection refers to its facades, the objects that show it as one of a JDK class, so that
 * they live as long as it does.
 */
public sealed interface PersistentCollection extends PersistentObject
    permits PersistentDeque,
        PersistentLinkedMap,
        PersistentLinkedSet,
        PersistentList,
        PersistentMap,
        PersistentSet,
        PersistentSortedMap,
        PersistentSortedSet {

  Contents contents();

  @Override
  default ObjectHandle pmstoreHandle() {
    return contents().handle();
  }
}
