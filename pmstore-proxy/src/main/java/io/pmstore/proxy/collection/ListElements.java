package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a list, one or a range of them, which {@link PersistentList} and its sublists
 * show. {@code PersistentList} states what its operations guarantee.
 *
 * <p>The caller checks the indexes of single elements, inside the same transaction or consistent
 * read.
 *
 * @param <E> the type of the elements
 */
final class ListElements<E extends @Nullable Object> {
  private static final int CAPACITY_MAX = 1 << 16;

  private final PersistentList<E> list;
  private final CollectionSpace space;
  private final CellCodec codec;
  private final ListTree tree;
  private final HeapObject handle;
  private final Modifications modifications;

  /** Makes the elements of a list. Its other fields must be set. */
  ListElements(PersistentList<E> list, HeapObject handle) {
    this.list = list;
    this.space = list.space();
    this.codec = space.codec();
    this.tree = new ListTree(space);
    this.handle = handle;
    this.modifications = list.modifications();
  }

  /**
   * Returns the list's address. Every body asks again, because a roll-back may have taken the list
   * away.
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

  private List<E> stored(Collection<? extends E> elements) {
    List<E> all = new ArrayList<>(elements.size());
    for (E element : elements) {
      all.add(cast(codec.stored(element)));
    }
    return all;
  }

  /**
   * Throws if another thread has shortened the list. The sublist itself detects its own thread's
   * changes.
   */
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

  /**
   * Returns the initial capacity for a range. It is bounded, because damage may make a size any
   * number.
   */
  private static int capacity(int from, int to) {
    return Math.min(to - from, CAPACITY_MAX);
  }

  // -- one element, inside a transaction or a consistent read

  int length() {
    return tree.size(address());
  }

  E get(int index) {
    return cast(tree.get(address(), index));
  }

  E set(int index, E element) {
    Object old = tree.set(address(), index, codec.stored(element));
    modifications.replaced();
    return cast(old);
  }

  boolean append(E element) {
    Object stored = codec.stored(element); // first: one that cannot be stored changes nothing
    space.change(() -> tree.append(address(), stored));
    modifications.restructured();
    return true;
  }

  void insert(int index, E element) {
    Object stored = codec.stored(element); // first: one that cannot be stored changes nothing
    space.change(() -> tree.insert(address(), index, stored));
    modifications.restructured();
  }

  E remove(int index) {
    E old = get(index);
    space.change(() -> tree.remove(address(), index));
    modifications.restructured();
    return old;
  }

  // -- many elements

  /** Returns the first or last index of an element equal to a value, or -1. */
  int search(@Nullable Object element, boolean first) {
    return space.read(
        list,
        () -> {
          int[] found = {-1};
          tree.visit(
              address(),
              0,
              length(),
              (leaf, at, index, count) -> {
                for (int i = 0; i < count && !(first && found[0] >= 0); i++) {
                  if (tree.isEqual(leaf, at + i, element)) {
                    found[0] = index + i;
                  }
                }
                return !(first && found[0] >= 0);
              });
          return found[0];
        });
  }

  boolean insertAll(int index, Collection<? extends E> elements) {
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

  void clear() {
    space.write(
        list,
        () -> {
          if (length() > 0) {
            tree.clear(address());
            modifications.restructured();
          }
          return true;
        });
  }

  void removeRange(int from, int to) {
    space.write(
        list,
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

  /**
   * Removes the elements in a range that a filter accepts. It tests all of them before it removes
   * the first. Returns the number of removed elements.
   */
  int removeIf(int from, int to, Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return space.write(
        list,
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

  /**
   * Replaces the elements of a range. The operator runs for all of them before the first is
   * replaced.
   */
  void replaceAll(int from, int to, UnaryOperator<E> operator) {
    Objects.requireNonNull(operator, "operator");
    space.write(
        list,
        () -> {
          List<E> results = read(from, to);
          results.replaceAll(element -> cast(codec.stored(operator.apply(element))));
          space.change(() -> tree.setAll(address(), from, results));
          modifications.replaced();
          return true;
        });
  }

  /** Sorts a range. Moves cells as they are, and writes only those whose place changes. */
  void sort(int from, int to, @Nullable Comparator<? super E> comparator) {
    space.write(
        list,
        () -> {
          checkRange(from, to);
          List<ListTree.Cell> cells = new ArrayList<>(capacity(from, to));
          tree.readCells(address(), from, to, cells);
          @SuppressWarnings(
              "unchecked") // as in Arrays.sort, elements compare themselves without a comparator
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

  /** Returns the elements of a range. Runs inside a transaction or a consistent read. */
  List<E> read(int from, int to) {
    checkRange(from, to);
    List<E> elements = new ArrayList<>(capacity(from, to));
    tree.visit(
        address(),
        from,
        to,
        (leaf, first, index, count) -> {
          for (int i = first; i < first + count; i++) {
            elements.add(cast(tree.read(leaf, i)));
          }
          return true;
        });
    return elements;
  }
}
