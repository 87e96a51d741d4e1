package io.pmstore.proxy.collection;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of the keys of a hash table: one of the store, or a view of one. */
abstract class HashSetView<E extends @Nullable Object> extends HeapSet<E> {
  private final HashTable<E> table;

  HashSetView(HashTable<E> table) {
    this.table = table;
  }

  @Override
  public final HashTable<E> contents() {
    return table;
  }

  /** Returns a walk through all entries. */
  Walk walk() {
    return table.walk();
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
    return table.store(element, null, () -> addStored(table.stored(element)));
  }

  private boolean addStored(E element) {
    int hash = table.trie().hash(element);
    boolean absent = table.find(element, hash) == 0;
    if (absent) {
      table.insert(element, hash, null);
    }
    return absent;
  }

  /** Returns what is stored for an element that the set can have. */
  private E checkedStored(E element) {
    E stored = table.stored(element);
    table.check(stored);
    return stored;
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return write(
        () -> {
          List<E> all = table.allStored(elements, this::checkedStored);
          boolean[] changed = new boolean[1];
          table.space().change(() -> all.forEach(element -> changed[0] |= addStored(element)));
          return changed[0];
        });
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return table.remove(element);
  }

  @Override
  public void clear() {
    table.clear();
  }

  @Override
  public Iterator<E> iterator() {
    return HashIterator.ofKeys(table, walk());
  }
}
