package io.pmstore.proxy.collection;

import java.util.Collection;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * A live view of a part of a sorted set, or of the keys of a sorted map, in their order or in
 * reverse. A view of a map's keys refuses additions.
 */
final class SortedSetView<E extends @Nullable Object, V extends @Nullable Object>
    extends SortedSetBase<E, V> {
  private final boolean growing;

  SortedSetView(
      SortedContents<E, V> contents, SortedRange range, boolean ascending, boolean growing) {
    super(contents, range, ascending);
    this.growing = growing;
  }

  @Override
  NavigableSet<E> view(SortedRange part, boolean inOrder) {
    return new SortedSetView<>(contents(), part, inOrder, growing);
  }

  @Override
  public boolean add(E element) {
    checkGrowing();
    return super.add(element);
  }

  @Override
  public boolean addAll(Collection<? extends E> elements) {
    checkGrowing();
    return super.addAll(elements);
  }

  private void checkGrowing() {
    if (!growing) {
      throw new UnsupportedOperationException(
          "a key cannot be added to a map without a value; put both into the map");
    }
  }
}
