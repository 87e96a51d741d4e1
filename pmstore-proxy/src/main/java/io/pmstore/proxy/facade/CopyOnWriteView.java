package io.pmstore.proxy.facade;

import java.util.AbstractList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@code CopyOnWriteArrayList}, or such a list in reverse. Like the list itself it can
 * be changed, but an iteration reads a snapshot of the elements, and cannot change them.
 */
final class CopyOnWriteView extends AbstractList<@Nullable Object> implements RandomAccess {
  private final List<@Nullable Object> target;
  private final @Nullable List<@Nullable Object> reversed;

  /**
   * Makes a view.
   *
   * @param target what it shows: a part of the persistent list, or that in reverse
   * @param reversed what shows the same elements in the other order; null if nothing does yet
   */
  CopyOnWriteView(List<@Nullable Object> target, @Nullable List<@Nullable Object> reversed) {
    this.target = target;
    this.reversed = reversed;
  }

  // -- iterations and views

  @Override
  public Iterator<@Nullable Object> iterator() {
    return CopyOnWriteExtras.iterator(target);
  }

  @Override
  public ListIterator<@Nullable Object> listIterator() {
    return CopyOnWriteListExtras.listIterator(target);
  }

  @Override
  public ListIterator<@Nullable Object> listIterator(int index) {
    return CopyOnWriteListExtras.listIterator(target, index);
  }

  @Override
  public void forEach(Consumer<? super @Nullable Object> action) {
    CopyOnWriteExtras.forEach(target, action);
  }

  @Override
  public Spliterator<@Nullable Object> spliterator() {
    return CopyOnWriteExtras.spliterator(target);
  }

  @Override
  public Stream<@Nullable Object> stream() {
    return CopyOnWriteExtras.stream(target);
  }

  @Override
  public Stream<@Nullable Object> parallelStream() {
    return CopyOnWriteExtras.parallelStream(target);
  }

  @Override
  public List<@Nullable Object> subList(int from, int to) {
    return new CopyOnWriteView(target.subList(from, to), null);
  }

  @Override
  public List<@Nullable Object> reversed() {
    return reversed == null ? new CopyOnWriteView(target.reversed(), this) : reversed;
  }

  // -- the rest is what the target does

  @Override
  public int size() {
    return target.size();
  }

  @Override
  public boolean isEmpty() {
    return target.isEmpty();
  }

  @Override
  public @Nullable Object get(int index) {
    return target.get(index);
  }

  @Override
  public @Nullable Object getFirst() {
    return target.getFirst();
  }

  @Override
  public @Nullable Object getLast() {
    return target.getLast();
  }

  @Override
  public @Nullable Object set(int index, @Nullable Object element) {
    return target.set(index, element);
  }

  @Override
  public boolean add(@Nullable Object element) {
    return target.add(element);
  }

  @Override
  public void add(int index, @Nullable Object element) {
    target.add(index, element);
  }

  @Override
  public void addFirst(@Nullable Object element) {
    target.addFirst(element);
  }

  @Override
  public void addLast(@Nullable Object element) {
    target.addLast(element);
  }

  @Override
  public boolean addAll(Collection<?> elements) {
    return target.addAll(elements);
  }

  @Override
  public boolean addAll(int index, Collection<?> elements) {
    return target.addAll(index, elements);
  }

  @Override
  public @Nullable Object remove(int index) {
    return target.remove(index);
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return target.remove(element);
  }

  @Override
  public @Nullable Object removeFirst() {
    return target.removeFirst();
  }

  @Override
  public @Nullable Object removeLast() {
    return target.removeLast();
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    return target.removeAll(elements);
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    return target.retainAll(elements);
  }

  @Override
  public boolean removeIf(Predicate<? super @Nullable Object> filter) {
    return target.removeIf(filter);
  }

  @Override
  public void replaceAll(UnaryOperator<@Nullable Object> operator) {
    target.replaceAll(operator);
  }

  @Override
  public void sort(@Nullable Comparator<? super @Nullable Object> comparator) {
    target.sort(comparator);
  }

  @Override
  public void clear() {
    target.clear();
  }

  @Override
  public boolean contains(@Nullable Object element) {
    return target.contains(element);
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    return target.containsAll(elements);
  }

  @Override
  public int indexOf(@Nullable Object element) {
    return target.indexOf(element);
  }

  @Override
  public int lastIndexOf(@Nullable Object element) {
    return target.lastIndexOf(element);
  }

  @Override
  public Object[] toArray() {
    return target.toArray();
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return target.toArray(array);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || target.equals(other);
  }

  @Override
  public int hashCode() {
    return target.hashCode();
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
