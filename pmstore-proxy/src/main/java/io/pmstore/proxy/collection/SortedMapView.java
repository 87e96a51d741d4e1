package io.pmstore.proxy.collection;

import org.jspecify.annotations.Nullable;

/** A live view of a part of a sorted map, in its order or in reverse. */
final class SortedMapView<K extends @Nullable Object, V extends @Nullable Object>
    extends SortedMapBase<K, V> {
  SortedMapView(SortedContents<K, V> contents, SortedRange range, boolean ascending) {
    super(contents, range, ascending);
  }
}
