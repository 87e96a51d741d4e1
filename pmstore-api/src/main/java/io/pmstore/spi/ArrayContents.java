package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an array holds, and the arrays in it, before a call of code that may change it. */
final class ArrayContents {
  private final Object array;
  private final int length;
  private final Object copy;
  private final List<ArrayContents> parts = new ArrayList<>();

  ArrayContents(Object array) {
    this.array = array;
    length = Array.getLength(array);
    copy = Array.newInstance(array.getClass().componentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    forEachArrayIn(array, part -> parts.add(new ArrayContents(part)));
  }

  /**
   * Tells the current transactions to store what becomes of an array, and of those in it, as far as
   * they are of persistent objects.
   *
   * @return false if no transaction stores a part of that
   */
  static boolean isFollowed(Object array) {
    List<Place> places = ArrayOrigins.places(array);
    if (!places.isEmpty()) {
      return places.stream().allMatch(place -> place.isFollowed(array));
    }
    List<Object> parts = new ArrayList<>(); // arguments, in an array of their number
    forEachArrayIn(array, parts::add);
    return parts.stream().allMatch(ArrayContents::isFollowed);
  }

  private static void forEachArrayIn(Object array, Consumer<Object> action) {
    Class<?> type = array.getClass().componentType();
    if (type.isArray() || type == Object.class) {
      for (Object part : (@Nullable Object[]) array) {
        // An array of objects may contain itself.
        boolean isArray = part != null && ArrayOrigins.isArray(part);
        if (isArray && (type.isArray() || part.getClass().componentType() != Object.class)) {
          action.accept(part);
        }
      }
    }
  }

  /** Stores what has changed since. */
  void storeChanges() {
    int from = 0;
    // Of two arrays of primitive elements, this is the fast comparison.
    int to = array instanceof Object[] || !Objects.deepEquals(array, copy) ? length : 0;
    while (from < to && isSame(from)) {
      from++;
    }
    while (from < to && isSame(to - 1)) {
      to--;
    }
    if (from < to) {
      if (array instanceof Object[] elements) {
        for (int i = from; i < to; i++) {
          ArrayOrigins.moved(array, i, ((Object[]) copy)[i], elements[i]);
        }
      }
      EnhancedArrays.stored(array, from, to - from);
    }
    parts.forEach(ArrayContents::storeChanges);
  }

  @SuppressWarnings("ReferenceEquality") // an array within an array is another value
  private boolean isSame(int index) {
    return array instanceof Object[] elements
        ? elements[index] == ((Object[]) copy)[index]
        : Array.get(array, index).equals(Array.get(copy, index));
  }
}
