package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Set} in the store: the hash trie of a {@link PersistentMap} whose entries have no
 * values. Null is allowed; the order of iteration is that of the elements' hash codes and means
 * nothing.
 *
 * <p>What {@link PersistentMap} says of its keys holds for the elements: costs, conflicts,
 * transactions, iteration and thread-safety. What is added is stored: a plain object of a
 * persistent class is converted, and what the set shows is its persistent twin.
 *
 * @param <E> the type of the elements
 */
public final class PersistentSet<E extends @Nullable Object> extends HeapSet<E>
    implements PersistentObject {
  private final HashTable<E> table;

  /**
   * Makes the Java object for a set in the heap. The object layer sees to it that there is only one
   * at a time.
   *
   * @param space what the collections of the store share
   * @param handle of an object with the shape of a set
   */
  public PersistentSet(CollectionSpace space, HeapObject handle) {
    table = new HashTable<>(this, space, handle, space.shapes().setTrie(), new Modifications(true));
  }

  /**
   * Makes an empty set in the heap, inside a transaction.
   *
   * @param <E> the type of the elements
   * @param space what the collections of the store share
   * @return the set, unusable if the transaction is rolled back
   */
  public static <E extends @Nullable Object> PersistentSet<E> create(CollectionSpace space) {
    return new PersistentSet<>(
        space, space.heap().newObject(space.shapes().set(), CollectionShapes.SET.size()));
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return table.handle();
  }

  @Override
  CollectionSpace space() {
    return table.space();
  }

  @Override
  public int size() {
    return table.size();
  }

  @Override
  public boolean isEmpty() {
    return table.isEmpty();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return table.contains(element);
  }

  @Override
  public boolean add(E element) {
    return write(() -> addStored(table.stored(element)));
  }

  private boolean addStored(E element) {
    HashTrie trie = table.trie();
    int hash = trie.hash(element);
    boolean absent = trie.find(table.address(), element, hash) == 0;
    if (absent) {
      table.insert(element, hash, null);
    }
    return absent;
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return write(
        () -> {
          List<E> all = new ArrayList<>(elements.size());
          for (E element : elements) {
            all.add(table.stored(element));
          }
          boolean[] changed = new boolean[1];
          space().change(() -> all.forEach(element -> changed[0] |= addStored(element)));
          return changed[0];
        });
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return table.remove(element);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return table.removeIf(filter);
  }

  @Override
  public void clear() {
    table.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return new HashIterator.OfKeys<>(table);
  }
}
