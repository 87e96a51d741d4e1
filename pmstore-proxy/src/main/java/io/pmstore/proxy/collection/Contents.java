package io.pmstore.proxy.collection;

import io.pmstore.NotPersistableException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.RemovedConstantException;
import io.pmstore.core.heap.HeapObject;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the Java object of a collection and all its views: the collection's place in
 * the heap, and the changes that the program made through it. Subclasses add the elements.
 *
 * <p>Its methods keep the collection reachable during the call. So its address is not reused, and
 * exceptions can name it.
 */
public class Contents {
  private final CollectionKind kind;
  private final CollectionSpace space;
  private final HeapObject handle;
  private final Modifications modifications;
  private @Nullable Object owner;
  private volatile @Nullable Object facade;
  private volatile @Nullable ElementFacades elementFacades;

  Contents(CollectionKind kind, CollectionSpace space, HeapObject handle) {
    this.kind = kind;
    this.space = space;
    this.handle = handle;
    this.modifications = new Modifications(space.heap(), kind != CollectionKind.CONCURRENT_MAP);
  }

  /** Sets the collection. Its constructor calls this once. */
  final void owner(Object collection) {
    owner = collection;
  }

  final CollectionKind kind() {
    return kind;
  }

  final CollectionSpace space() {
    return space;
  }

  final HeapObject handle() {
    return handle;
  }

  /**
   * Returns the address. Every body asks again, because a roll-back may have taken the collection
   * away.
   */
  final long address() {
    return handle.address();
  }

  final Modifications modifications() {
    return modifications;
  }

  /**
   * Returns the facade that was made last, which refers to the one before it; null if there is
   * none.
   */
  public final @Nullable Object facade() {
    return facade;
  }

  /**
   * Sets the facade that was made last. It must refer to the previous one. The caller excludes
   * other threads.
   */
  public final void facade(Object made) {
    facade = made;
  }

  /**
   * Returns what shows the elements or values; null if the program gets them as they are stored.
   */
  public final @Nullable ElementFacades elementFacades() {
    return elementFacades;
  }

  /** Shows the elements or values, those that are collections, from now on. */
  public final void elementFacades(ElementFacades facades) {
    elementFacades = facades;
  }

  /** Returns what the program gets for a stored element or value. */
  @SuppressWarnings("unchecked") // the program declares its elements as what they are shown as
  final <T extends @Nullable Object> T shown(T stored) {
    ElementFacades facades = elementFacades;
    if (facades != null && stored instanceof PersistentCollection collection) {
      return (T) facades.shown(collection);
    }
    CellCodec codec = space.codec();
    if (stored != null && codec.watches(stored)) {
      codec.returned(stored, modifications::contents);
    }
    return stored;
  }

  /** Returns the twin of a plain object that the program passes, or what it passes itself. */
  final @Nullable Object twin(@Nullable Object given) {
    return space.codec().twin(given);
  }

  /** Returns what is stored for an element, key or value. */
  @SuppressWarnings({"unchecked", "NullAway"}) // the twin of a T is a T, and that of null is null
  final <T extends @Nullable Object> T stored(T value) {
    return (T) space.codec().stored(value);
  }

  /**
   * Returns what is stored for elements or entries, inside a transaction. If one is refused, those
   * before it are plain again. Takes all of them before it stores the first: their iterator may be
   * the program's, and may store something itself.
   *
   * @param stored returns what is stored for one of them
   */
  final <T extends @Nullable Object> List<T> allStored(
      Collection<? extends T> given, UnaryOperator<T> stored) {
    List<T> all = new ArrayList<>(given);
    return space
        .codec()
        .asOne(
            () -> {
              all.replaceAll(stored);
              return all;
            });
  }

  /**
   * Runs reads that see one state.
   *
   * @throws IllegalStateException if this is the collection of a replica, and a record has freed it
   *     before all of them were made
   */
  final <T extends @Nullable Object> T read(Supplier<T> reads) {
    try {
      T result = space.heap().read(reads);
      address(); // throws if a record has freed the collection meanwhile
      return result;
    } catch (RemovedConstantException e) {
      throw placed(e);
    } catch (StoreDamagedException
        | ClassCastException
        | NullPointerException
        | NotPersistableException e) {
      address(); // what was found may be another object's
      throw explained(e);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  /**
   * Runs an operation that writes. Outside a transaction it runs as a transaction of its own.
   * Inside a transaction it runs as it is: an exception before its first change (a bad index, a
   * value that cannot be stored, an exception of the user's function) leaves the caller's
   * transaction intact, as it leaves a JDK collection intact.
   *
   * @throws IllegalStateException in a snapshot
   */
  final <T extends @Nullable Object> T write(Supplier<T> operation) {
    try {
      return space.heap().write(operation);
    } catch (RemovedConstantException e) {
      throw placed(e);
    } catch (StoreDamagedException
        | ClassCastException
        | NullPointerException
        | NotPersistableException e) {
      throw explained(e);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  /**
   * Does as {@link #write}, for an operation that stores a key and a value, or an element. If it
   * throws, what it has converted is plain again. It calls no function of the program that may
   * store something itself.
   */
  final <T extends @Nullable Object> T store(
      @Nullable Object key, @Nullable Object value, Supplier<T> operation) {
    CellCodec codec = space.codec();
    return codec.convertsNothing(key) && codec.convertsNothing(value)
        ? write(operation)
        : write(() -> codec.asOne(operation));
  }

  /** Does as {@link #write}, for an operation without a result. */
  final void writeAll(Runnable operation) {
    write(
        () -> {
          operation.run();
          return true;
        });
  }

  /**
   * Adds or removes elements, inside a transaction. If a change fails, the whole transaction will
   * be rolled back.
   */
  final void restructure(Runnable changes) {
    space.change(changes);
    modifications.restructured();
  }

  /**
   * Returns what the program's predicate accepts, once it has tested everything: a function of each
   * accepted element. Runs inside a transaction.
   *
   * @throws java.util.ConcurrentModificationException if the predicate changes the collection
   */
  final <T extends @Nullable Object, R extends @Nullable Object> List<R> accepted(
      Iterator<T> elements, Predicate<? super T> predicate, Function<T, R> function) {
    List<R> accepted = gathered();
    try (Modifications.Watch watch = modifications.watch(index -> {})) {
      elements.forEachRemaining(
          element -> {
            if (predicate.test(element)) {
              accepted.add(function.apply(element));
            }
            watch.check();
          });
    }
    return accepted;
  }

  /** Returns an empty list for what an operation gathers before its first change. */
  final <T extends @Nullable Object> List<T> gathered() {
    return new GatheredList<>(space.heap());
  }

  private RemovedConstantException placed(RemovedConstantException found) {
    long address = handle().identity();
    return found.at(
        "the %s at heap address %d".formatted(kind(), address),
        "\"pm why DIR @%d\" shows which property holds it, and \"pm show DIR @%d\" what it has"
            .formatted(address, address));
  }

  /**
   * Returns the exception itself, or the damage that explains it: a damaged key, the caller's
   * arguments or the caller's functions may have caused it.
   */
  private RuntimeException explained(RuntimeException thrown) {
    try {
      if (thrown instanceof StoreDamagedException damage) {
        throw damage;
      }
      space
          .heap()
          .read(
              () -> {
                checkKeys();
                return true;
              });
      return thrown;
    } catch (StoreDamagedException damage) {
      return CollectionDamage.of(this, damage);
    }
  }

  /**
   * Writes what an empty collection has, inside the transaction that makes it.
   *
   * @param comparator the order of a sorted one; null for the natural order
   */
  void initialize(@Nullable Comparator<?> comparator) {}

  /**
   * Checks the first {@link CollectionDamage#KEYS_MAX} keys, if there are keys. Runs inside a
   * transaction or a consistent read.
   *
   * @throws StoreDamagedException if a key cannot be one of this collection
   */
  void checkKeys() {}
}
