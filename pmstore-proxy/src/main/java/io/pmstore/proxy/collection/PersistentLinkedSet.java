package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SequencedSet;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SequencedSet} in the store: a {@link PersistentSet} that keeps the insertion order of
 * its elements, as a {@link java.util.LinkedHashSet} does. An element that is added again keeps its
 * place; {@link #addFirst} and {@link #addLast} move it. Costs, conflicts and iteration are those
 * of {@link PersistentLinkedMap}, with elements for keys.
 *
 * @param <E> the type of the elements
 */
public final class PersistentLinkedSet<E extends @Nullable Object> extends PersistentSet<E>
    implements SequencedSet<E> {

  /**
   * Makes the Java object of a linked set in the heap. The object layer ensures that there is only
   * one at a time.
   */
  public PersistentLinkedSet(CollectionSpace space, HeapObject handle) {
    super(space, handle, space.shapes().linked().setTrie());
  }

  /**
   * Makes an empty linked set in the heap, inside a transaction. It is unusable if the transaction
   * is rolled back.
   */
  public static <E extends @Nullable Object> PersistentLinkedSet<E> createLinked(
      CollectionSpace space) {
    HeapObject handle =
        space.heap().newObject(space.shapes().linked().set(), LinkedShapes.SET.size());
    LinkedOrder.initialize(space, handle.address());
    PersistentLinkedSet<E> created = new PersistentLinkedSet<>(space, handle);
    created.table().isNew();
    return created;
  }

  @Override
  int characteristics() {
    return Spliterator.DISTINCT | Spliterator.ORDERED;
  }

  // -- the ends

  private E element(End end) {
    long entry = table().at(end);
    if (entry == 0) {
      throw new NoSuchElementException("the set has no elements; ask isEmpty first");
    }
    return table().key(entry);
  }

  E get(End end) {
    return read(() -> element(end));
  }

  E remove(End end) {
    return write(
        () -> {
          E element = element(end);
          table().removeAt(end);
          return element;
        });
  }

  void add(End end, E element) {
    write(
        () -> {
          E stored = table().stored(element);
          int hash = table().trie().hash(stored);
          long entry = table().find(stored, hash);
          if (entry == 0) {
            table().insert(stored, hash, null, end);
          } else {
            table().move(entry, end);
          }
          return true;
        });
  }

  Iterator<E> iterator(End from) {
    return HashIterator.ofKeys(table(), table().walk(from));
  }

  // -- SequencedSet

  @Override
  public E getFirst() {
    return get(End.FIRST);
  }

  @Override
  public E getLast() {
    return get(End.LAST);
  }

  @Override
  public E removeFirst() {
    return remove(End.FIRST);
  }

  @Override
  public E removeLast() {
    return remove(End.LAST);
  }

  @Override
  public void addFirst(E element) {
    add(End.FIRST, element);
  }

  @Override
  public void addLast(E element) {
    add(End.LAST, element);
  }

  @Override
  public SequencedSet<E> reversed() {
    return new LinkedSetView<>(this);
  }
}
