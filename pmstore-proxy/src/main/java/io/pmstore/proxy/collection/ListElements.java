package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.Modifications.Watch;
import java.util.ArrayList;
import java.util.BitSet;
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
final class ListElements<E extends @Nullable Object> extends Contents {
  private static final int CAPACITY_MAX = 1 << 16;

  private final ListTree tree;

  ListElements(CollectionSpace space, HeapObject handle) {
    super(CollectionKind.LIST, space, handle);
    this.tree = new ListTree(space);
  }

  @SuppressWarnings({
    "unchecked",
    "NullAway"
  }) // the list holds what was added to it as E, or its twin
  private E cast(@Nullable Object element) {
    return (E) shown(element);
  }

  /**
   * Throws if another thread has shortened the list. The sublist itself detects its own thread's
   * changes.
   */
  private void checkRange(int from, int to) {
    if (to > length()) {
      throw new ConcurrentModificationException(
          "another thread made the list shorter: it has %s elements, and the sublist is of %s to %s; use sublists in a transaction if other threads write"
              .formatted(length(), from, to));
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
    E old = cast(tree.set(address(), index, stored(element)));
    modifications().replaced(index);
    return old;
  }

  boolean append(E element) {
    Object stored = stored(element); // first: one that cannot be stored changes nothing
    restructure(() -> tree.append(address(), stored));
    return true;
  }

  void insert(int index, E element) {
    Object stored = stored(element); // first: one that cannot be stored changes nothing
    restructure(() -> tree.insert(address(), index, stored));
  }

  E remove(int index) {
    E old = get(index);
    restructure(() -> tree.remove(address(), index));
    return old;
  }

  // -- many elements

  /** Returns the first or last index of an element equal to a value, or -1. */
  int search(@Nullable Object element, boolean first) {
    return read(() -> search(0, length(), element, first));
  }

  /** Does the same in a range. */
  int search(int from, int to, @Nullable Object element, boolean first) {
    return read(
        () -> {
          checkRange(from, to);
          int[] found = {-1};
          tree.visit(
              address(),
              from,
              to,
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
    List<E> stored = allStored(elements, this::stored);
    if (stored.isEmpty()) {
      return false;
    }
    restructure(
        () -> {
          int at = index;
          for (E element : stored) {
            tree.insert(address(), at++, element);
          }
        });
    return true;
  }

  void clear() {
    writeAll(
        () -> {
          if (length() > 0) {
            restructure(() -> tree.clear(address()));
          }
        });
  }

  void removeRange(int from, int to) {
    writeAll(
        () -> {
          checkRange(from, to);
          if (from < to) {
            restructure(
                () -> {
                  for (int i = to - 1; i >= from; i--) {
                    tree.remove(address(), i);
                  }
                });
          }
        });
  }

  /**
   * Removes the elements in a range that a filter accepts. It tests all of them before it removes
   * the first. Returns the number of removed elements.
   *
   * @throws ConcurrentModificationException if the filter added, removed or moved elements; what it
   *     sets is tested, unless it comes too late
   */
  int removeIf(int from, int to, Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return write(
        () -> {
          List<@Nullable Object> elements = gather(from, to);
          BitSet accepted = new BitSet();
          try (Watch watch = modifications().watch(index -> refresh(elements, from, index))) {
            for (int i = 0; i < elements.size(); i++) {
              if (filter.test(cast(elements.get(i)))) {
                accepted.set(i);
              }
              watch.check();
            }
          }
          if (!accepted.isEmpty()) {
            restructure(
                () -> {
                  for (int i = accepted.length() - 1; i >= 0; i = accepted.previousSetBit(i - 1)) {
                    tree.remove(address(), from + i);
                  }
                });
          }
          return accepted.cardinality();
        });
  }

  /**
   * Replaces the elements of a range. The operator runs for all of them before the first is
   * replaced.
   *
   * @throws ConcurrentModificationException if the operator added, removed or moved elements. What
   *     it sets stays behind the present index, and is given to the operator later on, as in the
   *     JDK's lists
   */
  void replaceAll(int from, int to, UnaryOperator<E> operator) {
    Objects.requireNonNull(operator, "operator");
    writeAll(
        () -> {
          List<@Nullable Object> elements = gather(from, to);
          try (Watch watch = modifications().watch(index -> refresh(elements, from, index))) {
            for (int i = 0; i < elements.size(); i++) {
              E result = operator.apply(cast(elements.get(i)));
              watch.check();
              elements.set(i, result);
            }
          }
          List<@Nullable Object> stored = allStored(elements, this::stored);
          space().change(() -> tree.setAll(address(), from, stored));
          modifications().replacedMany();
        });
  }

  /** Does as {@link #readStored}, for an operation that writes, which asks for the Java heap. */
  private List<@Nullable Object> gather(int from, int to) {
    checkRange(from, to);
    List<@Nullable Object> elements = gathered();
    tree.read(address(), from, to, elements::add);
    return elements;
  }

  /** Returns the elements of a range as they are stored. */
  List<@Nullable Object> readStored(int from, int to) {
    checkRange(from, to);
    List<@Nullable Object> elements = new ArrayList<>(capacity(from, to));
    tree.read(address(), from, to, elements::add);
    return elements;
  }

  /** Reads an element of a range that was read before again. */
  private void refresh(List<@Nullable Object> elements, int from, int index) {
    if (index >= from && index < from + elements.size()) {
      elements.set(index - from, tree.get(address(), index));
    }
  }

  /**
   * Sorts a range. Moves cells as they are, and writes only those whose place changes.
   *
   * @param isWhole true if iterators and sublists of this thread fail from then on, as those of an
   *     {@code ArrayList} do once it, and not a sublist, was sorted
   * @throws ConcurrentModificationException if the comparator changed the list in any way
   */
  void sort(int from, int to, @Nullable Comparator<? super E> comparator, boolean isWhole) {
    writeAll(
        () -> {
          checkRange(from, to);
          List<ListTree.Cell> cells = gathered();
          tree.readCells(address(), from, to, cells);
          @SuppressWarnings(
              "unchecked") // as in Arrays.sort, elements compare themselves without a comparator
          Comparator<Object> order =
              comparator == null
                  ? (a, b) -> ((Comparable<Object>) a).compareTo(b)
                  : (Comparator<Object>) comparator;
          try (Watch watch = modifications().watch(null)) {
            cells.sort(
                (a, b) -> {
                  int comparison = order.compare(shown(a.value()), shown(b.value()));
                  watch.check();
                  return comparison;
                });
          }
          Runnable moves = () -> tree.writeCells(address(), from, cells);
          if (isWhole) {
            restructure(moves);
          } else {
            space().change(moves);
            modifications().replacedMany();
          }
        });
  }

  /** Returns the elements of a range. Runs inside a transaction or a consistent read. */
  List<E> read(int from, int to) {
    checkRange(from, to);
    List<E> elements = new ArrayList<>(capacity(from, to));
    tree.read(address(), from, to, element -> elements.add(cast(element)));
    return elements;
  }
}
