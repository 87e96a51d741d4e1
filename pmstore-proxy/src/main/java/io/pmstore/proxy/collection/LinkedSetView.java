package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.LinkedOrder.End;
import java.util.NoSuchElementException;
import java.util.SequencedSet;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/**
 * A linked set, or a live view of one in reverse order. As in a {@code LinkedHashSet}, a new
 * element that is added to the view comes last in the set.
 */
class LinkedSetView<E extends @Nullable Object> extends HashSetView<E> implements SequencedSet<E> {
  private final End front;

  /** Makes a set whose first element is that at one end of the table. */
  LinkedSetView(HashTable<E> table, End front) {
    super(table);
    this.front = front;
  }

  @Override
  final Walk walk() {
    return contents().walk(front);
  }

  @Override
  final int characteristics() {
    return Spliterator.DISTINCT | Spliterator.ORDERED;
  }

  // -- the ends

  private E element(End end) {
    long entry = contents().at(end);
    if (entry == 0) {
      throw new NoSuchElementException("the set has no elements; ask isEmpty first");
    }
    return contents().key(entry);
  }

  private E get(End end) {
    return read(() -> element(end));
  }

  private E remove(End end) {
    return write(
        () -> {
          E element = element(end);
          contents().removeAt(end);
          return element;
        });
  }

  private void add(End end, E element) {
    contents()
        .store(
            element,
            null,
            () -> {
              E stored = contents().stored(element);
              int hash = contents().trie().hash(stored);
              long entry = contents().find(stored, hash);
              if (entry == 0) {
                contents().insert(stored, hash, null, end);
              } else {
                contents().move(entry, end);
              }
              return true;
            });
  }

  @Override
  public E getFirst() {
    return get(front);
  }

  @Override
  public E getLast() {
    return get(front.other());
  }

  @Override
  public E removeFirst() {
    return remove(front);
  }

  @Override
  public E removeLast() {
    return remove(front.other());
  }

  @Override
  public void addFirst(E element) {
    add(front, element);
  }

  @Override
  public void addLast(E element) {
    add(front.other(), element);
  }

  @Override
  public SequencedSet<E> reversed() {
    return new LinkedSetView<>(contents(), front.other()) {
      @Override
      public SequencedSet<E> reversed() {
        return LinkedSetView.this;
      }
    };
  }
}
