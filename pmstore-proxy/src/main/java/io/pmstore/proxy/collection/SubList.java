package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.Modifications.Stamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A view of a range of a list or of another sublist. Its bounds are in memory, its elements in the
 * list.
 */
final class SubList<E extends @Nullable Object> extends HeapList<E> {
  private final PersistentList<E> list;
  private final @Nullable SubList<E> parent;
  private final int offset; // in the list
  private int size;
  private Stamp structure;
  private @Nullable Undo undo;

  SubList(PersistentList<E> list, @Nullable SubList<E> parent, int offset, int size) {
    this.list = list;
    this.parent = parent;
    this.offset = offset;
    this.size = size;
    this.structure = list.contents().modifications().structure();
  }

  @Override
  public ListElements<E> contents() {
    return list.contents();
  }

  @Override
  List<E> elements() {
    check();
    return contents().read(offset, offset + size);
  }

  void check() {
    contents().modifications().check(structure);
  }

  private int index(int index) {
    check();
    return offset + Objects.checkIndex(index, size);
  }

  private int position(int index) {
    check();
    if (index < 0 || index > size) {
      throw new IndexOutOfBoundsException(
          "index %s is outside of a sublist of %s elements; expected 0 to %s"
              .formatted(index, size, size));
    }
    return offset + index;
  }

  /** Notes that this view has added or removed elements. A roll-back undoes it. */
  void resized(int by) {
    for (SubList<E> view = this; view != null; view = view.parent) {
      view.resize(by);
    }
  }

  private void resize(int by) {
    undo = Undo.keep(contents().space().heap(), undo, this::state);
    size += by;
    structure = contents().modifications().structure();
  }

  private Runnable state() {
    int before = size;
    return () -> {
      size = before;
      structure = contents().modifications().structure(); // none of this transaction counts
    };
  }

  /** Returns where this view ends in the list. */
  int end() {
    return offset + size;
  }

  @Override
  public int size() {
    check();
    return size;
  }

  @Override
  public E get(int index) {
    return list.get(index(index));
  }

  @Override
  public E set(int index, E element) {
    return list.set(index(index), element);
  }

  @Override
  public boolean add(E element) {
    add(size, element);
    return true;
  }

  @Override
  public void add(int index, E element) {
    list.changed().add(position(index), element);
    resized(1);
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return addAll(size, elements);
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    int position = position(index);
    List<E> copy = new ArrayList<>(elements);
    if (copy.isEmpty()) {
      return false;
    }
    list.changed().addAll(position, copy);
    resized(copy.size());
    return true;
  }

  @Override
  public E remove(int index) {
    E old = list.changed().remove(index(index));
    resized(-1);
    return old;
  }

  @Override
  public void clear() {
    check();
    contents().removeRange(offset, end());
    resized(-size);
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    check();
    int removed = contents().removeIf(offset, offset + size, filter);
    if (removed > 0) {
      resized(-removed);
    }
    return removed > 0;
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    check();
    contents().replaceAll(offset, offset + size, operator);
  }

  @Override
  public void sort(@Nullable Comparator<? super E> comparator) {
    check();
    contents().sort(offset, offset + size, comparator, false);
  }

  @Override
  public int indexOf(@Nullable Object element) {
    return search(element, true);
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return search(element, false);
  }

  private int search(@Nullable Object element, boolean first) {
    check();
    int index = contents().search(offset, offset + size, element, first);
    return index < 0 ? -1 : index - offset;
  }

  @Override
  public Iterator<E> iterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<E> listIterator() {
    return listIterator(0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    return new SubListIterator<>(this, offset, new PersistentListIterator<>(list, position(index)));
  }

  @Override
  public List<E> subList(int from, int to) {
    check();
    Objects.checkFromToIndex(from, to, size);
    return new SubList<>(list, this, offset + from, to - from);
  }
}
