package io.pmstore.proxy.collection;

import io.pmstore.core.catalogue.CellLayout;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns Java values into cells and back. This is all that the collections know of the object layer.
 *
 * <p>A cell is {@value #CELL_SIZE} bytes, 8-byte aligned, and describes itself: it holds a value in
 * line, or a reference. <b>A cell of zeros is null.</b> A collection moves a cell within itself by
 * copying its two words, and erases one by writing zeros.
 *
 * <p>All methods may be called on any thread, inside a transaction or inside {@code Heap.read}, and
 * again when the body is run again. {@link #writeCell} and {@link #stored} may be called inside a
 * transaction only.
 *
 * <p>Parameters: {@code object} is the address of the node that holds a cell, {@code offset} the
 * cell's offset in the node in bytes. Values to compare or hash may be of any class, storable or
 * not.
 */
public interface CellCodec {
  /** The size of a cell in bytes. */
  int CELL_SIZE = 16;

  /** The first word of the cell of an object of the store, whose address is the second word. */
  long REFERENCE_CELL = CellLayout.first(CellLayout.OBJECT, 0, 0);

  /** What {@link #referenceTo} returns for a value that is kept in a cell. */
  long NO_REFERENCE = -1;

  /**
   * Returns the value of a cell; for a reference, the one Java object that stands for its target.
   */
  @Nullable Object readCell(long object, int offset);

  /**
   * Writes a cell. Converts a plain object of a persistent class, or a plain collection.
   *
   * @throws io.pmstore.NotPersistableException if the value cannot be stored; the cell is unchanged
   */
  void writeCell(long object, int offset, @Nullable Object value);

  /**
   * Returns the address of a stored value that a reference can hold, a word instead of a cell. The
   * transaction keeps the object alive until it ends.
   *
   * @param stored what {@link #stored} returned
   * @return the address of an object of the store; 0 for null; {@link #NO_REFERENCE} for all others
   */
  long referenceTo(@Nullable Object stored);

  /** Returns the one Java object that stands for a reference's target; null for 0. */
  @Nullable Object readReference(long reference);

  /**
   * Does as {@link #readReference} for several references. Implementations override it to load what
   * all of them need from memory at the same time.
   */
  default @Nullable Object[] readReferences(long[] references) {
    @Nullable Object[] read = new @Nullable Object[references.length];
    for (int i = 0; i < read.length; i++) {
      read[i] = readReference(references[i]);
    }
    return read;
  }

  /** Does as {@link #cellEquals}, for a reference. */
  default boolean referenceEquals(long reference, @Nullable Object value) {
    return Objects.equals(value, readReference(reference));
  }

  /**
   * Returns what {@link #readCell} will return for a value once it is written: the value itself, or
   * the persistent twin of a plain object, which is converted if it has none yet. The {@link #hash}
   * of a key to store is that of the result.
   *
   * @throws io.pmstore.NotPersistableException if the value cannot be stored
   */
  default @Nullable Object stored(@Nullable Object value) {
    return value;
  }

  /**
   * Returns true if {@link #stored} surely converts nothing for a value: it is null, has no parts,
   * or is an object of a store.
   */
  default boolean convertsNothing(@Nullable Object value) {
    return true;
  }

  /**
   * Runs a part of an operation that calls {@link #stored} more than once, or may throw after it.
   * If it throws, what it has converted is plain again. It calls no function of the program that
   * may store something itself: that would be undone too.
   */
  default <T extends @Nullable Object> T asOne(Supplier<T> storing) {
    return storing.get();
  }

  /**
   * Returns true if a cell holds a value equal to another, in the sense of {@link Object#equals}.
   * Implementations override it to compare without making a Java object from the cell.
   */
  default boolean cellEquals(long object, int offset, @Nullable Object value) {
    return Objects.equals(value, readCell(object, offset));
  }

  /**
   * Compares a value with that of a cell, in their natural order. Implementations override it to
   * compare without making a Java object from the cell.
   *
   * @return less than, equal to or greater than 0, as for {@link Comparable#compareTo}
   * @throws ClassCastException if the two cannot be compared
   * @throws NullPointerException if one of them is null
   */
  default int compare(@Nullable Object value, long object, int offset) {
    return compare(value, readCell(object, offset));
  }

  /**
   * Compares two values in their natural order. Enum constants compare in the order in which they
   * came to the store.
   *
   * @return less than, equal to or greater than 0
   * @throws ClassCastException if the two cannot be compared
   * @throws NullPointerException if one of them is null
   */
  default int compare(@Nullable Object one, @Nullable Object other) {
    return SortedOrder.naturally(twin(one), twin(other));
  }

  /**
   * Returns the persistent twin of a plain object if it has one, or the value itself. Converts
   * nothing.
   */
  default @Nullable Object twin(@Nullable Object value) {
    return value;
  }

  /**
   * Returns true if {@link #returned} is to know of a value that the program gets: the program can
   * change it, and changes a copy then.
   */
  default boolean watches(Object value) {
    return false;
  }

  /**
   * Notes that the program gets a value from a collection.
   *
   * @param lastChange returns another object when the collection has changed
   */
  default void returned(Object value, Supplier<?> lastChange) {}

  /**
   * Returns a hash code that is consistent with {@link #cellEquals}; 0 for null. It is the same in
   * every JVM for enums (from their first name), for strings, boxes and other values (as their
   * classes specify it), for records that are hashed by their components, and for persistent
   * objects whose class does not override {@code hashCode} (from the address). For other records
   * and persistent objects it is that of their own {@code hashCode}, and the same within one JVM
   * only. A collection in a record is hashed by its contents. Its bits need not be well spread. A
   * key that cannot be in a collection may have any hash code.
   */
  int hash(@Nullable Object key);

  /**
   * Returns true if the {@link #hash} of a key is the same in every JVM, false if a method of a
   * user's class takes part in it, or has taken part in it in an earlier version of the class.
   */
  default boolean hasLastingHash(@Nullable Object key) {
    return true;
  }

  /**
   * Notes durably which classes have a method that takes part in the {@link #hash} of a key that is
   * being stored. {@link #hasLastingHash} is false for their keys from now on, also for versions of
   * the classes without the method.
   */
  default void noteOwnHash(@Nullable Object stored) {}

  /**
   * Returns true if the {@link #hash} of a cell's value is the same in every JVM, false if a method
   * of a user's class may take part in it, or have done so. Implementations override it to answer
   * without making a Java object from the cell.
   */
  default boolean cellHasLastingHash(long object, int offset) {
    return hasLastingHash(readCell(object, offset));
  }

  /**
   * Returns a second hash code, for keys that have the same {@link #hash}. It is the same in every
   * JVM and consistent with {@link #cellEquals}. Without the secret, nobody can predict which keys
   * collide. It distinguishes values, records that are hashed by their components, and persistent
   * objects that are hashed by their address. All keys that hash themselves have the same second
   * hash code.
   *
   * @param secret a random number
   * @return the second hash code; all of its bits are well spread
   */
  default int secondHash(@Nullable Object key, long secret) {
    return 0;
  }

  /**
   * Returns the name by which another run can find a comparator that is neither a value nor an
   * object of the store; null if it has none.
   */
  default @Nullable String comparatorName(Comparator<?> comparator) {
    return null;
  }

  /**
   * Returns the comparator for a name that {@link #comparatorName} returned.
   *
   * @throws io.pmstore.ClassRefusedException if the program no longer has it
   */
  default Comparator<?> comparator(String name) {
    throw new UnsupportedOperationException("no comparator has a name: " + name);
  }
}
