package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import io.pmstore.spi.ArrayOrigins.Source;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The contents of an array, and of the arrays in it, before a call of code that may change them.
 * After the call, {@link #storeChanges} stores the changes that the call has not stored itself, in
 * the properties that it has not set anew.
 *
 * <p>A transaction follows one copy of a property's value. It keeps the contents of each further
 * copy that it changes, or gives to other code, and stores what has changed when its body has
 * ended.
 */
final class ArrayContents {
  /** The contents that a thread compares later. */
  private static final class Open {
    // Of the calls that the thread runs. Weak, because a call may throw.
    final Set<ArrayContents> ofCalls = Collections.newSetFromMap(new WeakHashMap<>());
    // Of the thread's transactions, by the objects that have the arrays.
    final Map<ObjectHandle, Set<ArrayContents>> kept = new HashMap<>();

    boolean isEmpty() {
      return ofCalls.isEmpty() && kept.isEmpty();
    }

    Set<ArrayContents> keptOf(ObjectHandle handle) {
      return kept.getOrDefault(handle, Collections.emptySet());
    }
  }

  private static final ThreadLocal<@Nullable Open> OPEN = new ThreadLocal<>();

  private final Object array;
  private final int length;
  private final Object copy;
  private final List<ArrayContents> parts = new ArrayList<>();
  private final List<Source> replaced = new ArrayList<>(); // properties that the call has set

  ArrayContents(Object array) {
    this.array = array;
    length = Array.getLength(array);
    copy = copyOf(array, 0, length);
    forEachArrayIn(array, part -> parts.add(of(part)));
  }

  /**
   * Returns what an array holds now, which will be compared. The current transaction keeps it if
   * the array is of one of its objects.
   */
  static ArrayContents of(Object array) {
    ArrayContents kept = keep(array, ArrayOrigins.places(array));
    if (kept != null) {
      return kept;
    }
    ArrayContents ofCall = new ArrayContents(array);
    openToAdd().ofCalls.add(ofCall);
    return ofCall;
  }

  /**
   * Keeps what an array holds until the end of the transaction that can write one of its places.
   * Returns null if there is none.
   */
  static @Nullable ArrayContents keep(Object array, List<Place> places) {
    for (Place place : places) {
      ObjectHandle handle = place.source.owner.pmstoreHandleOrNull();
      if (handle != null && handle.isInWritableTransaction()) {
        return keep(array, handle);
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  private static ArrayContents keep(Object array, ObjectHandle handle) {
    Open open = openToAdd();
    for (ArrayContents known : open.keptOf(handle)) {
      if (known.array == array) {
        return known;
      }
    }
    ArrayContents kept = new ArrayContents(array);
    open.kept
        .computeIfAbsent(handle, _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
        .add(kept);
    handle.onRollback(
        () -> {
          kept.close(handle);
          System.arraycopy(kept.copy, 0, array, 0, kept.length);
          ArrayOrigins.noteElements(array);
        });
    handle.beforeCommit(
        () -> {
          kept.storeChanges();
          kept.close(handle);
        });
    return kept;
  }

  /**
   * Tells the current transactions to store later changes of an array, and of the arrays in it, in
   * the persistent objects that have them.
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

  private static Open openToAdd() {
    Open open = OPEN.get();
    if (open == null) {
      open = new Open();
      OPEN.set(open);
    }
    return open;
  }

  /** Runs an action for all that may be of arrays of an object. */
  private static void forEachOpen(ObjectHandle handle, Consumer<ArrayContents> action) {
    Open open = OPEN.get();
    if (open != null) {
      open.ofCalls.forEach(action);
      open.keptOf(handle).forEach(action);
    }
  }

  /** Notes that the thread has stored elements of an array, or its current transaction has. */
  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  static void stored(Object array, int from, int count, ObjectHandle handle) {
    forEachOpen(
        handle,
        contents -> {
          if (contents.array == array) {
            Object copy = contents.copy;
            Object earlier = copyOf(copy, from, count);
            System.arraycopy(array, from, copy, from, count);
            handle.onRollback(() -> System.arraycopy(earlier, 0, copy, from, count));
          }
        });
  }

  /** Notes that all elements of an array are stored, and those of the arrays in it. */
  static void stored(Object array, ObjectHandle handle) {
    if (OPEN.get() != null) {
      stored(array, 0, Array.getLength(array), handle);
      forEachArrayIn(array, part -> stored(part, handle));
    }
  }

  /**
   * Notes that the thread has set a property, or its current transaction has: it does not have its
   * arrays any more.
   */
  static void replaced(EnhancedObject owner, int offset) {
    ObjectHandle handle = owner.pmstoreHandle();
    forEachOpen(handle, contents -> contents.addReplaced(handle, offset));
  }

  /**
   * Notes that the current transaction has stored elements of one copy of a property's value: the
   * other copies can still be stored.
   *
   * @param before the version of the property before
   */
  static void storedElements(ObjectHandle handle, int offset, long before) {
    forEachOpen(
        handle,
        contents -> {
          for (Place place : ArrayOrigins.places(contents.array)) {
            if (place.source.isOf(handle, offset) && place.source.version == before) {
              place.source.written(handle);
            }
          }
        });
  }

  /** Notes that the thread has taken an array out of another one. */
  @SuppressWarnings("ReferenceEquality") // an equal array is another one
  static void removed(Object part, Object from) {
    if (OPEN.get() == null) {
      return;
    }
    for (Place place : ArrayOrigins.places(from)) {
      if (!place.isOneOfMany) {
        ObjectHandle handle = place.source.owner.pmstoreHandle();
        forEachOpen(
            handle,
            contents -> {
              if (contents.array == part) {
                contents.addReplaced(handle, place.source.offset);
              }
            });
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

  /** Stores what a call has changed, which has ended. */
  void endCall() {
    Open open = OPEN.get();
    if (open != null && open.ofCalls.remove(this)) {
      removeIfEmpty(open);
    }
    storeChanges();
  }

  private void storeChanges() {
    // Of two arrays of primitive elements, this is the fast comparison.
    if (array instanceof Object[] || !Objects.deepEquals(array, copy)) {
      int[] changed = IntStream.range(0, length).filter(i -> !isSame(i)).toArray();
      if (array instanceof Object[] elements) {
        for (int i : changed) {
          ArrayOrigins.moved(array, i, ((Object[]) copy)[i], elements[i]);
        }
      }
      List<Place> places = new ArrayList<>(ArrayOrigins.places(array));
      places.removeIf(this::isReplaced);
      if (changed.length > 0) {
        ArrayWrite.store(array, places, changed);
      }
    }
    parts.forEach(ArrayContents::storeChanges);
  }

  private void close(ObjectHandle handle) {
    Open open = OPEN.get();
    if (open != null) {
      Set<ArrayContents> kept = open.keptOf(handle);
      kept.remove(this);
      if (kept.isEmpty()) {
        open.kept.remove(handle);
      }
      removeIfEmpty(open);
    }
  }

  private static void removeIfEmpty(Open open) {
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
