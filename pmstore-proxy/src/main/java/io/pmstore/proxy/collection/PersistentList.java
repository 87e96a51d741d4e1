package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link List} in the store: a tree over positions. Null elements are allowed.
 *
 * <p><b>Costs.</b> Getting, setting, inserting and removing anywhere takes time that grows with the
 * logarithm of the size and writes a bounded number of bytes; an append writes one cell and the
 * size. A list of a few elements is one small object beside the list's own. {@code contains},
 * {@code indexOf} and {@code remove(Object)} search from the front. Transactions that add to or
 * remove from the same list conflict.
 *
 * <p><b>Transactions.</b> Every operation, also a bulk one and one that takes a function, is part
 * of the current transaction, or else one transaction of its own; functions may run more than once.
 * When an operation outside a transaction returns, its change is as durable as the store's {@link
 * io.pmstore.Durability} says. An operation that throws because of its arguments, or because a
 * function threw, leaves the list as it was, and a transaction around it intact.
 *
 * <p><b>Values.</b> What is added is stored: a plain object of a persistent class is converted, and
 * what the list returns is its persistent twin.
 *
 * <p><b>Iteration.</b>
 *
 * <ul>
 *   <li>A thread that adds, removes or sorts while it iterates, other than through the iterator,
 *       gets a {@link java.util.ConcurrentModificationException} from it, as from the JDK's lists,
 *       in a transaction and outside. The same holds for a {@link #subList} when its list changes
 *       other than through it.
 *   <li>In a transaction, an iteration sees one state: the transaction's.
 *   <li>Outside, {@code hasNext} and {@code next} never fail because of other threads. An iterator
 *       stands at an index and reads some elements at a time, each time a committed state; when
 *       other threads insert or remove before that index, an element can come twice or not at all.
 *       {@code set}, {@code add} and {@code remove} of an iterator, and what is done through {@code
 *       subList} and {@code reversed}, mean an index too. {@code toArray}, {@code equals}, {@code
 *       hashCode}, {@code toString} and the searches are each one read of one state. For more than
 *       one operation on one state, use a transaction.
 * </ul>
 *
 * <p>Safe for use by any number of threads; an iterator or a sublist is for one thread at a time.
 * All methods throw {@link io.pmstore.StoreClosedException} when the store is closed and {@link
 * io.pmstore.RolledBackException} when the transaction that made the list was rolled back.
 *
 * @param <E> the type of the elements
 */
public final class PersistentList<E extends @Nullable Object> extends AbstractList<E>
    implements RandomAccess, PersistentObject {
  private final CollectionSpace space;
  private final Heap heap;
  private final CellCodec codec;
  private final ListTree tree;
  private final HeapObject handle;
  private final Modifications modifications = new Modifications();

  /**
   * Makes the Java object for a list in the heap. The object layer sees to it that there is only
   * one at a time.
   *
   * @param space what the collections of the store share
   * @param handle of an object with the shape of a list
   */
  public PersistentList(CollectionSpace space, HeapObject handle) {
    this.space = space;
    this.heap = space.heap();
    this.codec = space.codec();
    this.tree = new ListTree(space);
    this.handle = handle;
  }

  /**
   * Makes an empty list in the heap, inside a transaction.
   *
   * @param <E> the type of the elements
   * @param space what the collections of the store share
   * @return the list, unusable if the transaction is rolled back
   */
  public static <E extends @Nullable Object> PersistentList<E> create(CollectionSpace space) {
    return new PersistentList<>(
        space, space.heap().newObject(space.shapes().list(), CollectionShapes.LIST.size()));
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return handle;
  }

  CollectionSpace space() {
    return space;
  }

  Modifications modifications() {
    return modifications;
  }

  /**
   * Where the list stands; asked for in every body, since a roll-back may have taken the list away.
   */
  private long address() {
    return handle.address();
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the list holds what was added to it as E, or its twin
  private E cast(@Nullable Object element) {
    return (E) element;
  }

  private E element(int index) {
    return cast(tree.get(address(), index));
  }

  private List<E> stored(Collection<? extends E> elements) {
    List<E> all = new ArrayList<>(elements.size());
    for (E element : elements) {
      all.add(cast(codec.stored(element)));
    }
    return all;
  }

  private int length() {
    return tree.size(address());
  }

  private static void checkPosition(int index, int size) {
    if (index < 0 || index > size) {
      throw new IndexOutOfBoundsException(
          "index " + index + " is not a position in a list of " + size + " elements");
    }
  }

  /** A sublist's bounds are right for its own thread; another may have shortened the list. */
  private void checkRange(int from, int to) {
    if (to > length()) {
      throw new ConcurrentModificationException(
          "another thread made the list shorter: it has "
              + length()
              + " elements, and the sublist is of "
              + from
              + " to "
              + to
              + "; use sublists in a transaction if other threads write");
    }
  }

  // -- one element

  @Override
  public int size() {
    return heap.read(this::length);
  }

  @Override
  public boolean isEmpty() {
    return size() == 0;
  }

  @Override
  public E get(int index) {
    return heap.read(() -> element(Objects.checkIndex(index, length())));
  }

  @Override
  public E set(int index, E element) {
    return space.write(
        () -> {
          Objects.checkIndex(index, length());
          Object old = tree.set(address(), index, codec.stored(element));
          modifications.replaced();
          return cast(old);
        });
  }

  @Override
  public boolean add(E element) {
    space.write(
        () -> {
          insert(length(), element);
          return true;
        });
    return true;
  }

  @Override
  public void add(int index, E element) {
    space.write(
        () -> {
          checkPosition(index, length());
          insert(index, element);
          return true;
        });
  }

  private void insert(int index, E element) {
    Object stored =
        codec.stored(element); // here, so that one that cannot be stored changes nothing
    space.change(() -> tree.insert(address(), index, stored));
    modifications.restructured();
  }

  @Override
  public E remove(int index) {
    return space.write(
        () -> {
          E old = element(Objects.checkIndex(index, length()));
          space.change(() -> tree.remove(address(), index));
          modifications.restructured();
          return old;
        });
  }

  @Override
  public boolean remove(@Nullable Object element) {
    return space.write(
        () -> {
          int index = indexOf(element);
          if (index >= 0) {
            remove(index);
          }
          return index >= 0;
        });
  }

  @Override
  public E getFirst() {
    return heap.read(super::getFirst);
  }

  @Override
  public E getLast() {
    return heap.read(super::getLast);
  }

  @Override
  public E removeFirst() {
    return space.write(super::removeFirst);
  }

  @Override
  public E removeLast() {
    return space.write(super::removeLast);
  }

  // -- searches

  @Override
  public boolean contains(@Nullable Object element) {
    return indexOf(element) >= 0;
  }

  @Override
  public boolean containsAll(Collection<?> elements) {
    return heap.read(() -> super.containsAll(elements));
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
    return heap.read(
        () -> {
          int[] found = {-1};
          tree.visit(
              address(),
              0,
              length(),
              (leaf, offset, index, count) -> {
                for (int i = 0; i < count && !(first && found[0] >= 0); i++) {
                  if (codec.cellEquals(leaf, offset + i * CellCodec.CELL_SIZE, element)) {
                    found[0] = index + i;
                  }
                }
                return !(first && found[0] >= 0);
              });
          return found[0];
        });
  }

  // -- many elements. The ranges are for sublists.

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    return space.write(() -> insertAll(length(), elements));
  }

  @Override
  public boolean addAll(int index, Collection<? extends E> elements) {
    return space.write(
        () -> {
          checkPosition(index, length());
          return insertAll(index, elements);
        });
  }

  private boolean insertAll(int index, Collection<? extends E> elements) {
    List<E> stored = stored(elements);
    if (stored.isEmpty()) {
      return false;
    }
    space.change(
        () -> {
          int at = index;
          for (E element : stored) {
            tree.insert(address(), at++, element);
          }
        });
    modifications.restructured();
    return true;
  }

  @Override
  public void clear() {
    space.write(
        () -> {
          if (length() > 0) {
            tree.clear(address());
            modifications.restructured();
          }
          return true;
        });
  }

  @Override
  protected void removeRange(int from, int to) {
    space.write(
        () -> {
          checkRange(from, to);
          space.change(
              () -> {
                for (int i = to - 1; i >= from; i--) {
                  tree.remove(address(), i);
                }
              });
          if (from < to) {
            modifications.restructured();
          }
          return true;
        });
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return removeIf(elements::contains);
  }

  @Override
  public boolean retainAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return removeIf(element -> !elements.contains(element));
  }

  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    return space.write(() -> removeIf(0, length(), filter) > 0);
  }

  /**
   * Removes in a range what a filter wants removed; it is asked about all before the first is.
   * Returns how many went.
   */
  int removeIf(int from, int to, Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return space.write(
        () -> {
          List<E> elements = read(from, to);
          int[] indexes = new int[elements.size()];
          int n = 0;
          for (int i = 0; i < elements.size(); i++) {
            if (filter.test(elements.get(i))) {
              indexes[n++] = from + i;
            }
          }
          int count = n;
          if (count > 0) {
            space.change(
                () -> {
                  for (int i = count - 1; i >= 0; i--) {
                    tree.remove(address(), indexes[i]);
                  }
                });
            modifications.restructured();
          }
          return count;
        });
  }

  @Override
  public void replaceAll(UnaryOperator<E> operator) {
    space.write(
        () -> {
          replaceAll(0, length(), operator);
          return true;
        });
  }

  /**
   * Replaces the elements of a range; the operator is asked about all before the first is replaced.
   */
  void replaceAll(int from, int to, UnaryOperator<E> operator) {
    Objects.requireNonNull(operator, "operator");
    space.write(
        () -> {
          List<E> results = read(from, to);
          results.replaceAll(element -> cast(codec.stored(operator.apply(element))));
          space.change(
              () ->
                  tree.visit(
                      address(),
                      from,
                      to,
                      (leaf, offset, index, count) -> {
                        for (int i = 0; i < count; i++) {
                          codec.writeCell(
                              leaf,
                              offset + i * CellCodec.CELL_SIZE,
                              results.get(index - from + i));
                        }
                        return true;
                      }));
          modifications.replaced();
          return true;
        });
  }

  @Override
  public void sort(@Nullable Comparator<? super E> comparator) {
    space.write(
        () -> {
          sort(0, length(), comparator);
          return true;
        });
  }

  /**
   * Sorts a range; cells move as they are, and only those that come to another place are written.
   */
  void sort(int from, int to, @Nullable Comparator<? super E> comparator) {
    space.write(
        () -> {
          checkRange(from, to);
          List<ListTree.Cell> cells = new ArrayList<>(to - from);
          tree.readCells(address(), from, to, cells);
          @SuppressWarnings(
              "unchecked") // as Arrays.sort: without a comparator, elements compare themselves
          Comparator<Object> order =
              comparator == null
                  ? (a, b) -> ((Comparable<Object>) a).compareTo(b)
                  : (Comparator<Object>) comparator;
          cells.sort((a, b) -> order.compare(a.value(), b.value()));
          space.change(() -> tree.writeCells(address(), from, cells));
          modifications.restructured();
          return true;
        });
  }

  /** The elements of a range, inside a transaction or a consistent read. */
  List<E> read(int from, int to) {
    checkRange(from, to);
    List<E> elements = new ArrayList<>(to - from);
    tree.visit(
        address(),
        from,
        to,
        (leaf, offset, index, count) -> {
          for (int i = 0; i < count; i++) {
            elements.add(cast(codec.readCell(leaf, offset + i * CellCodec.CELL_SIZE)));
          }
          return true;
        });
    return elements;
  }

  @Override
  public Object[] toArray() {
    return heap.read(() -> read(0, length()).toArray());
  }

  @Override
  public <T extends @Nullable Object> T[] toArray(T[] array) {
    return heap.read(() -> read(0, length()).toArray(array));
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
  public void forEach(Consumer<? super E> action) {
    Objects.requireNonNull(action, "action");
    iterator().forEachRemaining(action);
  }

  /** Does not rely on the size, which may change beneath a stream. */
  @Override
  public Spliterator<E> spliterator() {
    return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED);
  }

  @Override
  public List<E> subList(int from, int to) {
    Objects.checkFromToIndex(from, to, size());
    return new SubList<>(this, null, from, to - from);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof List && heap.read(() -> super.equals(other)));
  }

  @Override
  public int hashCode() {
    return heap.read(super::hashCode);
  }

  @Override
  public String toString() {
    return heap.read(super::toString);
  }
}
