package io.pmstore.proxy.collection;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether a collection that the program passes contains an element of the store. That has the
 * twin of a plain object that the program passes, also in a record or an entry. And some
 * collections, such as {@code Set.of(a, b)}, ask their own elements, and the code of a plain object
 * would read the unused fields of a persistent one. So this asks the stored element too.
 */
final class Contained implements Predicate<@Nullable Object> {
  private final Collection<?> given;
  private final Map<Integer, List<Object>> asked = new HashMap<>(); // by hash code

  Contained(Contents contents, Collection<?> given) {
    this.given = Objects.requireNonNull(given, "elements");
    if (given instanceof HeapCollection) {
      return;
    }
    CellCodec codec = contents.space().codec();
    for (Object element : given) {
      Object twin = twin(codec, element);
      if (twin != null) {
        asked.merge(
            twin.hashCode(),
            List.of(twin),
            (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
      }
    }
  }

  /** Returns what the store may have for a given element; null if that is equal to it anyway. */
  private static @Nullable Object twin(CellCodec codec, @Nullable Object element) {
    if (element instanceof Map.Entry<?, ?> entry) {
      return new SimpleImmutableEntry<>(codec.twin(entry.getKey()), codec.twin(entry.getValue()));
    }
    return codec.convertsNothing(element) ? null : codec.twin(element);
  }

  @Override
  public boolean test(@Nullable Object element) {
    return given.contains(element)
        || (element != null
            && !asked.isEmpty()
            && asked.getOrDefault(element.hashCode(), List.of()).stream()
                .anyMatch(element::equals));
  }
}
