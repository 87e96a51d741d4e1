package io.pmstore.proxy.collection;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether a collection that the program passes contains an element of the store. The given
 * collection cannot tell alone. The store has the twin of a plain object, also in a record or an
 * entry, and a copy of an array. And some collections, such as {@code Set.of(a, b)}, ask their own
 * elements: the code of a plain object reads the unused fields of a persistent one, and so may find
 * it equal to one with zeros. So this asks the stored element.
 */
final class Contained implements Predicate<@Nullable Object> {
  private final Collection<?> given;
  private final Map<Integer, List<@Nullable Object>> asked = new HashMap<>(); // by hash code

  @SuppressWarnings("ReferenceEquality") // an equal one may be another object
  Contained(Contents contents, Collection<?> given) {
    this.given = Objects.requireNonNull(given, "elements");
    if (given instanceof HeapCollection) {
      return; // it asks its own elements as this does
    }
    CellCodec codec = contents.space().codec();
    if (given.stream().anyMatch(element -> isAsked(codec, element))) {
      for (Object element : given) {
        Object twin = twin(codec, element);
        List<@Nullable Object> alike = asked.computeIfAbsent(hash(twin), _ -> new ArrayList<>());
        if (alike.isEmpty() || alike.getLast() != twin) {
          alike.add(twin);
        }
      }
    }
  }

  /** Returns true if the store may have something else for a given element. */
  private static boolean isAsked(CellCodec codec, @Nullable Object element) {
    return element instanceof Map.Entry
        || (element != null && element.getClass().isArray())
        || !codec.convertsNothing(element);
  }

  /** Returns what the store may have for a given element. */
  private static @Nullable Object twin(CellCodec codec, @Nullable Object element) {
    return element instanceof Map.Entry<?, ?> entry
        ? new SimpleImmutableEntry<>(codec.twin(entry.getKey()), codec.twin(entry.getValue()))
        : codec.twin(element);
  }

  @Override
  public boolean test(@Nullable Object element) {
    return asked.isEmpty()
        ? given.contains(element)
        : isIn(asked.get(hash(element)), element)
            || (given.contains(element) && isEqualToOne(element));
  }

  /**
   * Returns a number that equal ones share: a plain list and that of its twins hash differently.
   */
  private static int hash(@Nullable Object value) {
    return switch (value) {
      case Collection<?> collection -> collection.size();
      case Map<?, ?> map -> map.size();
      case Map.Entry<?, ?> entry -> hash(entry.getKey()) ^ hash(entry.getValue());
      case null, default -> ArrayContents.hash(value);
    };
  }

  /** Returns true if a given element, found without its hash code, is equal to a stored one. */
  private boolean isEqualToOne(@Nullable Object element) {
    return given instanceof SortedSet // by its order, which asks the stored element first
        || asked.values().stream().anyMatch(alike -> isIn(alike, element));
  }

  private static boolean isIn(@Nullable List<?> some, @Nullable Object element) {
    return some != null && some.stream().anyMatch(one -> Objects.deepEquals(element, one));
  }
}
