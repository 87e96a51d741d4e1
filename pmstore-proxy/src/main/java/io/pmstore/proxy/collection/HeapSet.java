package io.pmstore.proxy.collection;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The common code of persistent sets and set views of maps.
 *
 * @param <E> the type of the elements
 */
abstract class HeapSet<E extends @Nullable Object> extends HeapCollection<E> implements Set<E> {
  @Override
  int characteristics() {
    return Spliterator.DISTINCT;
  }

  /**
   * Looks up the elements one by one if they are fewer than this set's, so that it need not walk a
   * large set.
   */
  @Override
  public boolean removeIf(Predicate<? super E> filter) {
    Objects.requireNonNull(filter, "filter");
    return write(
        () -> {
          List<E> accepted = contents().accepted(iterator(), filter, element -> element);
          contents().space().change(() -> accepted.forEach(this::remove));
          return !accepted.isEmpty();
        });
  }

  @Override
  public boolean removeAll(Collection<?> elements) {
    Objects.requireNonNull(elements, "elements");
    return write(
        () -> {
          if (size() <= elements.size()) {
            return super.removeAll(elements);
          }
          // All are looked up before the first is removed: a look-up can throw.
          List<@Nullable Object> found = contents().gathered();
          for (Object element : elements) {
            if (contains(element)) {
              found.add(element);
            }
          }
          contents().space().change(() -> found.forEach(this::remove));
          return !found.isEmpty();
        });
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof Set<?> set && read(() -> set.size() == size() && hasAll(set)));
  }

  private boolean hasAll(Set<?> set) {
    try {
      return containsAll(set);
    } catch (ClassCastException | NullPointerException e) {
      return false; // this set cannot have such an element
    }
  }

  @Override
  public int hashCode() {
    return read(
        () -> {
          int sum = 0;
          for (E element : this) {
            sum += Objects.hashCode(element);
          }
          return sum;
        });
  }
}
