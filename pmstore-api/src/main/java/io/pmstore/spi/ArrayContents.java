package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import io.pmstore.spi.ArrayOrigins.Source;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an array held, and the arrays in it, before a call of code that may change it. Of what the
 * call changes, {@link #storeChanges} stores the rest: what the call itself has not stored, in the
 * properties that it has not set anew.
 */
final class ArrayContents {
  // Of the calls that the thread runs. Weak, because a call may throw.
  private static final ThreadLocal<@Nullable Set<ArrayContents>> OPEN = new ThreadLocal<>();

  private final Object array;
  private final int length;
  private final Object copy;
  private final List<ArrayContents> parts = new ArrayList<>();
  private final List<Source> replaced = new ArrayList<>(); // properties that the call has set

  ArrayContents(Object array) {
    this.array = array;
    length = Array.getLength(array);
    copy = copyOf(array, 0, length);
    Set<ArrayContents> open = OPEN.get();
    if (open == null) {
      open = Collections.newSetFromMap(new WeakHashMap<>());
      OPEN.set(open);
    }
    open.add(this);
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

  private static Object copyOf(Object array, int from, int length) {
    Object copy = Array.newInstance(array.getClass().componentType(), length);
    System.arraycopy(array, from, copy, 0, length);
    return copy;
  }

  /** Returns an action that gives an array, and the arrays in it, what they hold now. */
  static Runnable restoring(Object array) {
    int length = Array.getLength(array);
    Object held = copyOf(array, 0, length);
    List<Runnable> parts = new ArrayList<>();
    forEachArrayIn(array, part -> parts.add(restoring(part)));
    return () -> {
      System.arraycopy(held, 0, array, 0, length);
      parts.forEach(Runnable::run);
    };
  }

  static void forEachArrayIn(Object array, Consumer<Object> action) {
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

  private static Set<ArrayContents> open() {
    Set<ArrayContents> open = OPEN.get();
    return open == null ? Collections.emptySet() : open;
  }

  /** Notes that the thread has stored elements of an array, or its current transaction has. */
  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  static void stored(Object array, int from, int count, ObjectHandle handle) {
    for (ArrayContents contents : open()) {
      if (contents.array == array) {
        Object copy = contents.copy;
        Object earlier = copyOf(copy, from, count);
        System.arraycopy(array, from, copy, from, count);
        handle.onRollback(() -> System.arraycopy(earlier, 0, copy, from, count));
      }
    }
  }

  /** Notes that all elements of an array are stored, and those of the arrays in it. */
  static void stored(Object array, ObjectHandle handle) {
    if (!open().isEmpty()) {
      stored(array, 0, Array.getLength(array), handle);
      forEachArrayIn(array, part -> stored(part, handle));
    }
  }

  /**
   * Notes that the thread has set a property, or its current transaction has: it does not have its
   * arrays any more.
   */
  static void replaced(EnhancedObject owner, int offset) {
    open().forEach(contents -> contents.addReplaced(owner.pmstoreHandle(), offset));
  }

  /** Notes that the thread has taken an array out of another one. */
  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  static void removed(Object part, Object from) {
    for (ArrayContents contents : open()) {
      if (contents.array == part) {
        ArrayOrigins.places(from).stream()
            .filter(place -> !place.isOneOfMany)
            .map(place -> place.source)
            .forEach(of -> contents.addReplaced(of.owner.pmstoreHandle(), of.offset));
      }
    }
  }

  private void addReplaced(ObjectHandle handle, int offset) {
    for (Place place : ArrayOrigins.places(array)) {
      Source source = place.source;
      if (source.isOf(handle, offset)) {
        replaced.add(source);
        handle.onRollback(() -> replaced.remove(source));
      }
    }
  }

  /** Stores what has changed since. */
  void storeChanges() {
    close();
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
      List<Place> places = new ArrayList<>(ArrayOrigins.places(array));
      places.removeIf(this::isReplaced);
      EnhancedArrays.stored(array, from, to - from, places);
    }
    parts.forEach(ArrayContents::storeChanges);
  }

  private void close() {
    Set<ArrayContents> open = open();
    open.remove(this);
    if (open.isEmpty()) {
      OPEN.remove();
    }
  }

  private boolean isReplaced(Place place) {
    return replaced.contains(place.source) && !place.isCurrent(place.source.owner.pmstoreHandle());
  }

  @SuppressWarnings("ReferenceEquality") // an array within an array is another value
  private boolean isSame(int index) {
    return array instanceof Object[] elements
        ? elements[index] == ((Object[]) copy)[index]
        : Array.get(array, index).equals(Array.get(copy, index));
  }
}
