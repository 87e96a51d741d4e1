package io.pmstore.proxy.collection;

import io.pmstore.NotPersistableException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.CollectionDamage.Keyed;
import java.lang.ref.Reference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the collections of one store share.
 *
 * @param strayEntries what is known of the stray entries of hash maps and sets, by the address of
 *     the map or set
 */
public record CollectionSpace(
    Heap heap,
    CellCodec codec,
    CollectionShapes shapes,
    ConcurrentMap<Long, StrayEntries> strayEntries) {

  public CollectionSpace(Heap heap, CellCodec codec, CollectionShapes shapes) {
    this(heap, codec, shapes, new ConcurrentHashMap<>());
  }

  /**
   * Runs reads of a collection that see one state.
   *
   * @param collection the collection, or an object that refers to it. It stays reachable during the
   *     call, which keeps its address from being reused.
   */
  <T extends @Nullable Object> T read(@Nullable Object collection, Supplier<T> reads) {
    try {
      return heap.read(reads);
    } catch (StoreDamagedException e) {
      throw CollectionDamage.of(collection, e);
    } catch (ClassCastException | NullPointerException | NotPersistableException e) {
      checkKeys(collection);
      throw e;
    } finally {
      Reference.reachabilityFence(collection);
    }
  }

  /**
   * Runs an operation that writes. Outside a transaction it runs as a transaction of its own.
   * Inside a transaction it runs as it is: an exception before its first change (a bad index, a
   * value that cannot be stored, an exception of the user's function) leaves the caller's
   * transaction intact, as it leaves a JDK collection intact.
   *
   * @param collection stays reachable during the call, as for {@link #read}
   * @throws IllegalStateException in a snapshot
   */
  <T extends @Nullable Object> T write(@Nullable Object collection, Supplier<T> operation) {
    try {
      return heap.write(operation);
    } catch (StoreDamagedException e) {
      throw CollectionDamage.of(collection, e);
    } catch (ClassCastException | NullPointerException | NotPersistableException e) {
      checkKeys(collection);
      throw e;
    } finally {
      Reference.reachabilityFence(collection);
    }
  }

  /**
   * Throws {@code StoreDamagedException} if a key is damaged. Called after an exception that a
   * damaged key, the caller's arguments or the caller's functions may have caused.
   */
  private void checkKeys(@Nullable Object collection) {
    if (collection instanceof Keyed keyed) {
      try {
        heap.read(
            () -> {
              keyed.checkKeys();
              return true;
            });
      } catch (StoreDamagedException e) {
        throw CollectionDamage.of(collection, e);
      }
    }
  }

  /**
   * Runs changes that belong together, inside a transaction. If one fails, the whole transaction
   * will be rolled back.
   */
  void change(Runnable changes) {
    heap.transaction(
        () -> {
          changes.run();
          return true;
        });
  }
}
