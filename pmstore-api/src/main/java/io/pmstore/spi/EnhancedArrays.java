package io.pmstore.spi;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes of array elements in enhanced code, such as {@code order.counts[i]++}. If enhanced code
 * stores an element into an array that it has read from a field of a persistent object, these
 * methods store the element in the object too. Safe for use by any number of threads.
 *
 * <p>A store keeps arrays as values, so each read of such a field returns a copy. Code that stores
 * elements calls {@link #read} after it has read a field of an array type, one of the {@code set}
 * methods in place of each instruction that stores an element, and {@link #before} and {@link
 * #after} around a call of a JDK method that may store elements. This class remembers the field of
 * a copy as long as the copy is reachable. The element is written in the current transaction, or in
 * one of its own.
 */
public final class EnhancedArrays {
  /** The field from which an array was read, and the value that it had then. Thread-safe. */
  private static final class Source {
    private final EnhancedObject owner; // kept alive, so that its place stays its own
    private final int offset;
    private final int property;
    private final WeakReference<Object> whole;
    private final boolean ofMethod; // read by a method that may change it in place
    private volatile long version;

    Source(EnhancedObject owner, int offset, int property, Object whole) {
      ObjectHandle handle = owner.pmstoreHandle();
      this.owner = owner;
      this.offset = offset;
      this.property = property;
      this.whole = new WeakReference<>(whole);
      this.ofMethod = handle.isChangingInPlace();
      this.version = handle.valueVersion(offset);
    }
  }

  /** An array of a source, or within it, with the indexes that lead to it. */
  private static final class Origin {
    private final Key key;
    private final Source source;
    private final int[] path;

    Origin(Object array, Source source, int... path) {
      this.key = new Key(array);
      this.source = source;
      this.path = path;
    }
  }

  /** An array as a key, by identity. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object array) {
      super(array, GONE);
      hash = System.identityHashCode(array);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Object array = get();
      return array != null && other instanceof Key key && key.refersTo(array);
    }
  }

  /** The key of a look-up, which needs no weak reference. */
  private record Probe(Object array) {
    @Override
    public int hashCode() {
      return System.identityHashCode(array);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.refersTo(array);
    }
  }

  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();
  private static final Map<Object, Origin> ORIGINS = new ConcurrentHashMap<>();

  // True while a thread removes the origins of arrays that were collected. It ends when there are
  // none, because a thread keeps the class loader of this class.
  private static final AtomicBoolean CLEANING = new AtomicBoolean();

  private EnhancedArrays() {}

  private static void startCleaner() {
    Thread cleaner = new Thread(null, EnhancedArrays::cleanUp, "pmstore-arrays", 0, false);
    cleaner.setContextClassLoader(null);
    cleaner.setDaemon(true);
    cleaner.start();
  }

  private static void cleanUp() {
    try {
      do {
        while (!ORIGINS.isEmpty()) {
          ORIGINS.remove(GONE.remove());
        }
        CLEANING.set(false);
        // Another thread may have added an origin before, and have seen that this one runs.
      } while (!ORIGINS.isEmpty() && CLEANING.compareAndSet(false, true));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

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
   * Remembers the field of an array when an object becomes persistent. The object layer calls this
   * method.
   *
   * @param owner the object
   * @param array the array that its field has
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property
   */
  public static void note(EnhancedObject owner, Object array, int offset, int property) {
    note(array, new Origin(array, new Source(owner, offset, property, array)));
    if (!CLEANING.get() && CLEANING.compareAndSet(false, true)) {
      startCleaner();
    }
  }

  /**
   * Forgets an array, and those in it, because its object is plain again. The object layer calls
   * this method.
   *
   * @param array the array that its field has
   */
  public static void forget(Object array) {
    Origin origin = ORIGINS.remove(new Probe(array));
    if (origin != null) {
      origin.key.enqueue(); // wakes the cleaner, which may wait for this array
    }
    if (array instanceof Object[] elements && array.getClass().componentType().isArray()) {
      for (Object element : elements) {
        if (element != null) {
          forget(element);
        }
      }
    }
  }

  /**
   * Notes that a transaction has stored the changes of an array. The object layer calls this
   * method.
   *
   * @param array the array that was read from the field
   */
  public static void writtenBack(Object array) {
    Origin origin = ORIGINS.isEmpty() ? null : ORIGINS.get(new Probe(array));
    ObjectHandle handle = origin == null ? null : origin.source.owner.pmstoreHandleOrNull();
    if (origin != null && handle != null) {
      origin.source.version = handle.valueVersion(origin.source.offset);
    }
  }

  private static void note(Object array, Origin origin) {
    ORIGINS.put(origin.key, origin);
    if (array instanceof Object[] elements && array.getClass().componentType().isArray()) {
      for (int i = 0; i < elements.length; i++) {
        if (elements[i] != null) {
          int[] path = Arrays.copyOf(origin.path, origin.path.length + 1);
          path[path.length - 1] = i;
          note(elements[i], new Origin(elements[i], origin.source, path));
        }
      }
    }
  }

  /**
   * Copies an array before a call of a JDK method that may change it.
   *
   * @param array the array, or null
   * @return a copy for {@link #after}; null if the array was not read from a persistent object
   */
  public static @Nullable Object before(@Nullable Object array) {
    if (array == null || ORIGINS.isEmpty() || ORIGINS.get(new Probe(array)) == null) {
      return null;
    }
    int length = Array.getLength(array);
    Object copy = Array.newInstance(array.getClass().componentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  /**
   * Stores the elements that a JDK method has changed in an array.
   *
   * @param array the array, or null
   * @param before what {@link #before} returned
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void after(@Nullable Object array, @Nullable Object before) {
    if (array == null || before == null) {
      return;
    }
    int from = 0;
    int to = Array.getLength(array);
    while (from < to && isSame(array, before, from)) {
      from++;
    }
    while (from < to && isSame(array, before, to - 1)) {
      to--;
    }
    if (from < to) {
      stored(array, from, to - from);
    }
  }

  @SuppressWarnings("ReferenceEquality") // an array within an array is another value
  private static boolean isSame(Object array, Object before, int index) {
    return array instanceof Object[] elements
        ? elements[index] == ((Object[]) before)[index]
        : Array.get(array, index).equals(Array.get(before, index));
  }

  /** Stores elements in the object from which the array comes, if it comes from one. */
  private static void stored(Object array, int from, int length) {
    if (ORIGINS.isEmpty()) {
      return;
    }
    Origin origin = ORIGINS.get(new Probe(array));
    ObjectHandle handle = origin == null ? null : origin.source.owner.pmstoreHandleOrNull();
    if (origin == null || handle == null) { // no array of a store, or plain again
      return;
    }
    if (handle.isOutsideTransactions()) {
      try {
        handle.run(
            () -> {
              store(array, from, length, origin, handle);
              return null;
            },
            false);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e); // the body throws none
      }
    } else {
      store(array, from, length, origin, handle);
    }
  }

  private static void store(
      Object array, int from, int length, Origin origin, ObjectHandle handle) {
    Source source = origin.source;
    try {
      store(array, from, length, source, origin.path, handle);
    } finally {
      Reference.reachabilityFence(source.owner);
    }
  }

  private static void store(
      Object array, int from, int length, Source source, int[] path, ObjectHandle handle) {
    Object whole = handle.getObject(source.offset, source.property);
    if (whole != null && source.whole.refersTo(whole)) {
      return; // the transaction writes it back
    }
    if (source.version != handle.valueVersion(source.offset)) {
      if (source.ofMethod && handle.isChangingInPlace()) {
        return; // the method has replaced it, so it is a plain array now
      }
      throw new IllegalStateException(
          "elements are stored into an array of class "
              + source.owner.getClass().getName()
              + " that was written since the field was read; read the field again, or do both in"
              + " one method of the class");
    }
    Object part = whole;
    for (int step : path) {
      part = part instanceof Object[] parts ? parts[step] : null;
    }
    if (part == null) {
      throw new IllegalStateException("property " + source.property + " holds no array");
    }
    System.arraycopy(array, from, part, from, length);
    handle.putObject(source.offset, source.property, whole);
    source.version = handle.valueVersion(source.offset);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(int[] array, int index, int value) {
    array[index] = value;
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(long[] array, int index, long value) {
    array[index] = value;
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(short[] array, int index, short value) {
    array[index] = value;
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(char[] array, int index, char value) {
    array[index] = value;
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(float[] array, int index, float value) {
    array[index] = value;
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(double[] array, int index, double value) {
    array[index] = value;
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array of {@code byte} or {@code boolean}, and in the object from which
   * the array was read. The JVM has one instruction for both.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(Object array, int index, int value) {
    if (array instanceof boolean[] flags) {
      flags[index] = (value & 1) != 0;
    } else {
      ((byte[]) array)[index] = (byte) value;
    }
    stored(array, index, 1);
  }

  /**
   * Stores an element in an array, and in the object from which the array was read.
   *
   * @param array the array
   * @param index the index of the element
   * @param value its new value
   * @throws IllegalStateException if the field was written since the array was read
   */
  public static void set(@Nullable Object[] array, int index, @Nullable Object value) {
    array[index] = value;
    stored(array, index, 1);
  }
}
