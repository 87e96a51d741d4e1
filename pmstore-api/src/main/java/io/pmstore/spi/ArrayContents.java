package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an array holds, and the arrays and dates in it, before a call of code that may change it.
 * Also what a date, a calendar or a time zone is then.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
final class ArrayContents {
  private final Object array;
  private final int length;
  private final Object copy;
  private final List<ArrayContents> parts = new ArrayList<>();

  ArrayContents(Object array) {
    this(array, newSet(array));
  }

  /** Takes the arrays that are known already: an array of objects may contain itself. */
  private ArrayContents(Object array, Set<Object> known) {
    this.array = array;
    if (ArrayOrigins.isArray(array)) {
      length = Array.getLength(array);
      copy = Array.newInstance(array.getClass().componentType(), length);
      System.arraycopy(array, 0, copy, 0, length);
      forEachPart(array, known, part -> parts.add(new ArrayContents(part, known)));
    } else {
      length = 0;
      copy = copyOfDate(array);
    }
  }

  private static Set<Object> newSet(Object array) {
    return ArrayOrigins.mayHoldArrays(array.getClass())
        ? Collections.newSetFromMap(new IdentityHashMap<>())
        : Set.of();
  }

  private static Object copyOfDate(Object value) {
    return switch (value) {
      case Date date -> date.clone();
      case Calendar calendar -> calendar.clone();
      default -> ((TimeZone) value).clone();
    };
  }

  /**
   * Tells the current transactions to store what becomes of an array, and of those in it, as far as
   * they are of persistent objects.
   *
   * @return false if no transaction stores a part of that
   */
  static boolean isFollowed(Object array) {
    return isFollowed(array, newSet(array));
  }

  private static boolean isFollowed(Object array, Set<Object> known) {
    List<Place> places = ArrayOrigins.places(array);
    if (!places.isEmpty()) {
      return places.stream().allMatch(place -> place.isFollowed(array));
    }
    List<Object> parts = new ArrayList<>(); // arguments, in an array of their number
    forEachPart(array, known, parts::add);
    return parts.stream().allMatch(part -> isFollowed(part, known));
  }

  private static void forEachPart(Object array, Set<Object> known, Consumer<Object> action) {
    if (ArrayOrigins.mayHoldArrays(array.getClass())) {
      known.add(array);
      for (Object part : (@Nullable Object[]) array) {
        if (part != null && ArrayOrigins.canChange(part) && known.add(part)) {
          action.accept(part);
        }
      }
    }
  }

  /** Stores what has changed since. */
  void storeChanges() {
    if (!ArrayOrigins.isArray(array)) {
      if (!array.equals(copy)) {
        EnhancedArrays.stored(array, 0, 0);
      }
      return;
    }
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
