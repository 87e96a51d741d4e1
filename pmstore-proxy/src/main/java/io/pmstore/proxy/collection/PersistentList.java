package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
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
 * A {@link List} in the store: a tree over positions. It allows null elements. {@link
 * PersistentCollection} states what holds for all collections.
 *
 * <p><b>Costs.</b> Getting, setting, inserting and removing anywhere takes time that grows with the
 * logarithm of the size, and writes a bounded number of bytes. An append takes constant time and
 * writes one element and the size; where a leaf is full, one way down. An object of the store, or
 * null, takes 8 bytes, any other element 16. A list of a few elements is one small object beside
 * the list's own. {@code contains}, {@code indexOf} and {@code remove(Object)} search from the
 * front. Transactions that add to or remove from the same list conflict.
 *
 * <p><b>Iteration.</b>
 *
 * <ul>
 *   <li>If a thread adds, removes or sorts while it iterates, other than through the iterator, the
 *       iterator throws {@link java.util.ConcurrentModificationException}, as those of the JDK's
 *       lists do, in a transaction and outside. So does a {@link #subList} when its thread changes
 *       the list other than through it.
 *   <li>In a transaction, an iteration sees one state: the transaction's.
 *   <li>Outside, {@code hasNext} and {@code next} never fail because of other threads. An iterator
 *       stands at an index and reads some elements at a time, each time a committed state. If other
 *       threads insert or remove before that index, an element may be returned twice or not at all.
 *       {@code set}, {@code add} and {@code remove} of an iterator, and operations on {@code
 *       subList} and {@code reversed}, apply to an index too. {@code toArray}, {@code equals},
 *       {@code hashCode}, {@code toString} and each search read one state. Several operations on
 *       one state need a transaction.
 * </ul>
 *
 * @param <E> the type of the elements
 */
public final class PersistentList<E extends @Nullable Object> extends HeapList<E>
    implements PersistentCollection {
  private final ListElements<E> elements;
  private List<E> changed = this;

  PersistentList(CollectionSpace space, HeapObject handle) {
    elements = new ListElements<>(space, handle);
    elements.owner(this);
  }

  @Override
  public ListElements<E> contents() {
    return elements;
  }

  @Override
  List<E> elements() {
    return elements.read(0, elements.length());
  }

  /**
   * Makes iterators and sublists call the methods of an object that has the elements of this list,
   * as those of an {@code ArrayList} do: its class may override them.
   */
  public void changeThrough(List<E> object) {
    changed = object;
  }

  /** Returns the list whose methods iterators and sublists call to change this one. */
  List<E> changed() {
    return changed;
  }

  /** Returns the elements as they are stored. The caller gives them out as parts of a value. */
  public List<@Nullable Object> storedElements() {
    return read(() -> elements.readStored(0, elements.length()));
  }

  private static void checkPosition(int index, int size) {
    if (index < 0 || index > size) {
      throw new IndexOutOfBoundsException(
          "index %s is outside of a list of %s elements; expected 0 to %s"
              .formatted(index, size, size));
    }
  }

  // -- one element

  @Override
  public int size() {
    return read(elements::length);
  }

  @Override
  public E get(int index) {
    return read(() -> elements.get(index));
  }

  @Override
  public E set(int index, E element) {
    return elements.store(element, null, () -> elements.set(index, element));
  }

  @Override
  public boolean add(E element) {
    elements.write(() -> elements.append(element));
    return true;
  }

  @Override
  public void add(int index, E element) {
    elements.writeAll(
        () -> {
          checkPosition(index, elements.length());
          elements.insert(index, element);
        });
  }

  @Override
  public E remove(int index) {
    return elements.write(() -> elements.remove(Objects.checkIndex(index, elements.length())));
  }

  @Override
  public E getFirst() {
    return read(super::getFirst);
  }

  @Override
  public E getLast() {
    return read(super::getLast);
  }

  @Override
  public E removeFirst() {
    return elements.write(super::removeFirst);
  }

  @Override
  public E removeLast() {
    return elements.write(super::removeLast);
  }

  // -- searches

  @Override
  public int indexOf(@Nullable Object element) {
    return elements.search(element, true);
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return elements.search(element, false);
  }

  // -- many elements

  @Override
  public boolean addAll(Collection<? extends E> added) {
    return elements.write(() -> elements.insertAll(elements.length(), added));
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> added) {
    return elements.write(
        () -> {
          checkPosition(index, elements.length());
          return elements.insertAll(index, added);
        });
  }

  @Override
  public void clear() {
    elements.clear();
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return elements.write(() -> elements.removeIf(0, elements.length(), filter) > 0);
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    elements.writeAll(
        () -> {
          elements.replaceAll(0, elements.length(), operator);
        });
  }

  @Override
  public void sort(@Nullable Comparator<? super E> comparator) {
    elements.writeAll(
        () -> {
          elements.sort(0, elements.length(), comparator, true);
        });
  }

  // -- iteration and views

  @Override
  public Iterator<E> iterator() {
    return new PersistentListIterator<>(this, 0);
  }

  @Override
  public ListIterator<E> listIterator() {
    return new PersistentListIterator<>(this, 0);
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    checkPosition(index, size());
    return new PersistentListIterator<>(this, index);
  }

  @Override
  public List<E> subList(int from, int to) {
    Objects.checkFromToIndex(from, to, size());
    return new SubList<>(this, null, from, to - from);
  }
}
