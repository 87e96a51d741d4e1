package io.pmstore.spi;

import io.pmstore.spi.ArrayOrigins.Place;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Writes of array elements in enhanced code, such as {@code order.counts[i]++}. If enhanced code
 * stores an element into an array of a persistent object, these methods store the element in the
 * object too. Safe for use by any number of threads.
 *
 * <p>A store keeps arrays as values, so each read of such a field returns a copy. Code that stores
 * elements calls {@link #read} after it has read a field of an array type, one of the {@code set}
 * methods in place of each instruction that stores an element, and {@link #before} and {@link
 * #after} around a call of other code that may store elements. A setter calls {@link #written} with
 * an array that it has written. This class remembers the fields of an array as long as the array is
 * reachable. The element is written in the current transaction, or in one of its own.
 */
public final class EnhancedArrays {
  private EnhancedArrays() {}

  /**
   * Remembers from which field an array was read.
   *
   * @param owner the object that has the field
   * @param array the array, or null
   * @param key the {@link EnhancedClasses#key} of the field
   * @return the array
   */
  public static @Nullable Object read(EnhancedObject owner, @Nullable Object array, String key) {
    if (array != null && owner.pmstoreHandleOrNull() != null) {
      EnhancedClasses.Layout layout = EnhancedClasses.layout(owner.getClass());
      note(owner, array, layout.offset(key), layout.property(key));
    }
    return array;
  }

  /**
   * Remembers the field of an array that a setter has written, because the program still has the
   * array.
   *
   * @param owner the persistent object that has the field
   * @param value what was written; this method remembers arrays only
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property
   */
  public static void written(
      EnhancedObject owner, @Nullable Object value, int offset, int property) {
    ArrayContents.replaced(owner, offset);
    if (value != null && ArrayOrigins.isArray(value)) {
      ArrayOrigins.written(value, owner, offset, property);
    }
  }

  /**
   * Remembers the field of an array when an object becomes persistent. The object layer calls this
   * method.
   *
   * @param owner the object
   * @param array the array that its field has
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property
   */
  public static void note(EnhancedObject owner, Object array, int offset, int property) {
    ArrayOrigins.note(array, owner, offset, property);
  }

  /**
   * Forgets that an object has an array, because the object is plain again. The object layer calls
   * this method.
   *
   * @param owner the object
   * @param array the array that its field has
   */
  public static void forget(EnhancedObject owner, Object array) {
    ArrayOrigins.forget(array, owner);
  }

  /**
   * Notes that a transaction has stored the changes of an array. The object layer calls this
   * method.
   *
   * @param array the array
   * @param handle the handle of the object
   * @param offset the offset of the property in the object, in bytes
   * @param before the {@link ObjectHandle#valueVersion} of the property before
   */
  public static void writtenBack(Object array, ObjectHandle handle, int offset, long before) {
    if (!ArrayOrigins.isEmpty()) {
      ArrayOrigins.writtenBack(array, handle, offset);
      ArrayContents.storedElements(handle, offset, before);
    }
  }

  /**
   * Notes that the current transaction has stored all that a value of a property holds. The object
   * layer calls this method.
   *
   * @param value the value; this method ignores all but arrays
   * @param handle the handle of the object
   */
  public static void stored(Object value, ObjectHandle handle) {
    if (!ArrayOrigins.isEmpty() && ArrayOrigins.isArray(value)) {
      ArrayOrigins.noteElements(value);
      ArrayContents.stored(value, handle);
    }
  }

  /**
   * Notes which arrays lie in a value of a property now, because a roll-back may have moved them.
   * The object layer calls this method.
   *
   * @param value the value; this method ignores all but arrays
   */
  public static void noteElements(Object value) {
    if (!ArrayOrigins.isEmpty() && ArrayOrigins.isArray(value)) {
      ArrayOrigins.noteElements(value);
    }
  }

  /**
   * Prepares for a call of code that may change an array. Inside a transaction that can write, the
   * transaction will store the changes, also those that the code makes after the call. Outside of
   * one, and for a second copy of the same value, this method copies the array.
   *
   * @param array the array, or any other object, or null
   * @return a copy for {@link #after}; null if there is nothing to compare after the call
   */
  public static @Nullable Object before(@Nullable Object array) {
    if (array == null || !ArrayOrigins.isArray(array) || ArrayOrigins.isEmpty()) {
      return null;
    }
    return ArrayContents.isFollowed(array) ? null : ArrayContents.of(array);
  }

  /**
   * Stores the elements that other code has changed in an array.
   *
   * @param array the array
   * @param before what {@link #before} returned
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void after(@Nullable Object array, @Nullable Object before) {
    if (before != null) {
      ((ArrayContents) before).endCall();
    }
  }

  /**
   * Returns a list of the elements of an array, as {@code Arrays.asList} does. The list stores its
   * changes in the object that has the array.
   *
   * @param array the array
   * @return a list that can be changed, but has a fixed size
   */
  public static List<@Nullable Object> asList(@Nullable Object... array) {
    return ArrayOrigins.isEmpty() || ArrayOrigins.places(array).isEmpty()
        ? Arrays.asList(array)
        : new Elements(array);
  }

  /** The elements of an array of a persistent object. */
  private static final class Elements extends AbstractList<@Nullable Object>
      implements RandomAccess, Serializable {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // as of the list of the JDK: its elements may be
    private final @Nullable Object[] array;

    Elements(@Nullable Object[] array) {
      this.array = array;
    }

    @Override
    public @Nullable Object get(int index) {
      return array[index];
    }

    @Override
    public @Nullable Object set(int index, @Nullable Object element) {
      Object old = array[index];
      EnhancedArrays.set(array, index, element);
      return old;
    }

    @Override
    public int size() {
      return array.length;
    }
  }

  /**
   * Returns the places of an array that is about to change where the change must be stored at once.
   * Elsewhere the current transaction stores it when its body has ended, and a roll-back undoes it.
   */
  private static List<Place> unfollowed(Object array) {
    if (ArrayOrigins.isEmpty()) {
      return List.of();
    }
    List<Place> places = ArrayOrigins.places(array);
    if (places.stream().allMatch(place -> place.isFollowed(array))) {
      return List.of();
    }
    ArrayContents.keep(array, places);
    return places;
  }

  private static void stored(Object array, int index, List<Place> places) {
    if (!places.isEmpty()) {
      ArrayWrite.store(array, places, index);
    }
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(int[] array, int index, int value) {
    List<Place> places = unfollowed(array);
    array[index] = value;
    stored(array, index, places);
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(long[] array, int index, long value) {
    List<Place> places = unfollowed(array);
    array[index] = value;
    stored(array, index, places);
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(short[] array, int index, short value) {
    List<Place> places = unfollowed(array);
    array[index] = value;
    stored(array, index, places);
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(char[] array, int index, char value) {
    List<Place> places = unfollowed(array);
    array[index] = value;
    stored(array, index, places);
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(float[] array, int index, float value) {
    List<Place> places = unfollowed(array);
    array[index] = value;
    stored(array, index, places);
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(double[] array, int index, double value) {
    List<Place> places = unfollowed(array);
    array[index] = value;
    stored(array, index, places);
  }

  /**
   * Stores an element in an array of {@code byte} or {@code boolean}, and in the objects that have
   * the array. The JVM has one instruction for both.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(Object array, int index, int value) {
    List<Place> places = unfollowed(array);
    if (array instanceof boolean[] flags) {
      flags[index] = (value & 1) != 0;
    } else {
      ((byte[]) array)[index] = (byte) value;
    }
    stored(array, index, places);
  }

  /**
   * Stores an element in an array, and in the objects that have the array.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(@Nullable Object[] array, int index, @Nullable Object value) {
    List<Place> places = unfollowed(array);
    Object old = array[index];
    array[index] = value;
    ArrayOrigins.moved(array, index, old, value);
    stored(array, index, places);
  }
}
