package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.CollectionDamage.Keyed;
import io.pmstore.spi.ObjectHandle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Set} in the store: the hash trie of a {@link PersistentMap}, with entries that have no
 * values. It allows null. Costs, conflicts, order and iteration are those of {@link PersistentMap},
 * with elements for keys.
 *
 * @param <E> the type of the elements
 */
public sealed class PersistentSet<E extends @Nullable Object> extends HeapSet<E>
    implements Keyed, PersistentCollection permits PersistentLinkedSet {
  private final HashTable<E> table;
  private volatile @Nullable Object facade;

  /**
   * Makes the Java object of a set in the heap. The object layer ensures that there is only one at
   * a time.
   */
  public PersistentSet(CollectionSpace space, HeapObject handle) {
    this(space, handle, space.shapes().setTrie());
  }

  PersistentSet(CollectionSpace space, HeapObject handle, CollectionShapes.Trie shapes) {
    table = new HashTable<>(this, space, handle, shapes, new Modifications(true));
  }

  /**
   * Makes an empty set in the heap, inside a transaction. It is unusable if the transaction is
   * rolled back.
   */
  public static <E extends @Nullable Object> PersistentSet<E> create(CollectionSpace space) {
    PersistentSet<E> set =
        new PersistentSet<>(
            space, space.heap().newObject(space.shapes().set(), CollectionShapes.SET.size()));
    set.table.isNew();
    return set;
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return table.handle();
  }

  @Override
  public @Nullable Object facade() {
    return facade;
  }

  @Override
  public void facade(Object made) {
    facade = made;
  }

  @Override
  public void checkKeys() {
    table.checkKeys();
  }

  @Override
  CollectionSpace space() {
    return table.space();
  }

  HashTable<E> table() {
    return table;
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
    int hash = table.trie().hash(element);
    boolean absent = table.find(element, hash) == 0;
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
    return table.keys();
  }
}
