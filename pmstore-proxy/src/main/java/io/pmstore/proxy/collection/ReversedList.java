package io.pmstore.proxy.collection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A live view of a list or sublist in reverse. Each operation is one read or one transaction, as
 * those of the list are.
 */
final class ReversedList<E extends @Nullable Object> extends HeapList<E> {
  private final HeapList<E> list;
  private final List<E> iterated; // the view of the JDK, whose operations are not atomic

  ReversedList(HeapList<E> list, List<E> iterated) {
    this.list = list;
    this.iterated = iterated;
  }

  @Override
  public ListElements<E> contents() {
    return list.contents();
  }

  @Override
  List<E> elements() {
    return list.elements().reversed();
  }

  private int index(int index) {
    int size = list.size();
    return size - 1 - Objects.checkIndex(index, size);
  }

  private int position(int index) {
    int size = list.size();
    return size - Objects.checkIndex(index, size + 1);
  }

  @Override
  public int size() {
    return list.size();
  }

  @Override
  public boolean isEmpty() {
    return list.isEmpty();
  }

  @Override
  public E get(int index) {
    return read(() -> list.get(index(index)));
  }

  @Override
  public E set(int index, E element) {
    return write(() -> list.set(index(index), element));
  }

  @Override
  public boolean add(E element) {
    list.add(0, element);
    return true;
  }

  @Override
  public void add(int index, E element) {
    contents().writeAll(() -> list.add(position(index), element));
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return list.addAll(0, inReverse(elements));
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    return write(() -> list.addAll(position(index), inReverse(elements)));
  }

  private List<E> inReverse(Collection<? extends E> elements) {
    List<E> copy = new ArrayList<>(elements);
    Collections.reverse(copy);
    return copy;
  }

  @Override
  public E remove(int index) {
    return write(() -> list.remove(index(index)));
  }

  @Override
  public E getFirst() {
    return list.getLast();
  }

  @Override
  public E getLast() {
    return list.getFirst();
  }

  @Override
  public void addFirst(E element) {
    list.addLast(element);
  }

  @Override
  public void addLast(E element) {
    list.addFirst(element);
  }

  @Override
  public E removeFirst() {
    return list.removeLast();
  }

  @Override
  public E removeLast() {
    return list.removeFirst();
  }

  @Override
  public void clear() {
    list.clear();
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return list.removeIf(filter);
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    list.replaceAll(operator);
  }

  @Override
  public void sort(@Nullable Comparator<? super E> comparator) {
    list.sort(Collections.reverseOrder(comparator));
  }

  @Override
  public int indexOf(@Nullable Object element) {
    return read(() -> mirrored(list.lastIndexOf(element)));
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return read(() -> mirrored(list.indexOf(element)));
  }

  private int mirrored(int found) {
    return found < 0 ? -1 : list.size() - 1 - found;
  }

  @Override
  public Iterator<E> iterator() {
    return iterated.iterator();
  }

  @Override
  public ListIterator<E> listIterator() {
    return iterated.listIterator();
  }

  @Override
  public ListIterator<E> listIterator(int index) {
    return iterated.listIterator(index);
  }

  @Override
  public List<E> subList(int from, int to) {
    return read(
        () -> {
          int size = list.size();
          Objects.checkFromToIndex(from, to, size);
          return list.subList(size - to, size - from).reversed();
        });
  }

  @Override
  public List<E> reversed() {
    return list;
  }
}
