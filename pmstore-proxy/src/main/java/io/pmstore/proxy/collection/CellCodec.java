package io.pmstore.proxy.collection;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns Java values into cells and back: what the collections need to know of the object layer.
 *
 * <p>A cell is {@value #CELL_SIZE} bytes, 8-byte aligned, that say by themselves what they hold: a
 * value in line, or a reference. <b>A cell of zeros is null.</b> A collection moves a cell within
 * itself by copying its two words, and erases one by writing zeros.
 *
 * <p>All methods may be called inside a transaction or inside {@code Heap.read}, on any thread, and
 * may be called again for a body that is run again; {@link #writeCell} and {@link #stored} are
 * called inside a transaction only.
 */
public interface CellCodec {
  /** The bytes of a cell. */
  int CELL_SIZE = 16;

  /**
   * Reads a cell.
   *
   * @param object the address of the node that holds it
   * @param offset of the cell in the node, in bytes
   * @return its value: for a reference, the one Java object that stands for its target
   */
  @Nullable Object readCell(long object, int offset);

  /**
   * Writes a cell; converts a plain object of a persistent class, or a plain collection.
   *
   * @param object the address of the node that holds it
   * @param offset of the cell in the node, in bytes
   * @param value its new value
   * @throws io.pmstore.NotPersistableException if the value cannot be stored; the cell is as it was
   */
  void writeCell(long object, int offset, @Nullable Object value);

  /**
   * Tells what {@link #readCell} will return for a value once it is written: the value itself, or
   * the persistent twin of a plain object, which is converted if it has none yet. {@link #hash} of
   * a key that is stored is asked of the result.
   *
   * @param value a value on its way into a collection
   * @return the value or its twin
   * @throws io.pmstore.NotPersistableException if the value cannot be stored
   */
  default @Nullable Object stored(@Nullable Object value) {
    return value;
  }

  /**
   * Says whether a cell holds a value equal to another, in the sense of {@link Object#equals}.
   * Overridden to compare without making a Java object from the cell.
   *
   * @param object the address of the node that holds the cell
   * @param offset of the cell in the node, in bytes
   * @param value what to compare with; of any class, storable or not
   * @return whether they are equal
   */
  default boolean cellEquals(long object, int offset, @Nullable Object value) {
    return Objects.equals(value, readCell(object, offset));
  }

  /**
   * Compares a value with the one in a cell, in their natural order. Overridden to compare without
   * making a Java object from the cell.
   *
   * @param value what to compare; of any class, storable or not
   * @param object the address of the node that holds the cell
   * @param offset of the cell in the node, in bytes
   * @return less than, equal to or greater than 0 as the value comes before, is equal to or comes
   *     behind the one in the cell
   * @throws ClassCastException if the two cannot be compared
   * @throws NullPointerException if one of them is null
   */
  default int compare(@Nullable Object value, long object, int offset) {
    return compare(value, readCell(object, offset));
  }

  /**
   * Compares two values in their natural order; enum constants in the order in which they came to
   * the store.
   *
   * @param one of any class, storable or not
   * @param other of any class, storable or not
   * @return less than, equal to or greater than 0
   * @throws ClassCastException if the two cannot be compared
   * @throws NullPointerException if one of them is null
   */
  default int compare(@Nullable Object one, @Nullable Object other) {
    return SortedOrder.naturally(twin(one), twin(other));
  }

  /**
   * The persistent twin of a plain object, if it has one; nothing is converted.
   *
   * @param value of any class, storable or not
   * @return its twin, or the value itself
   */
  default @Nullable Object twin(@Nullable Object value) {
    return value;
  }

  /**
   * A hash code that is the same in every JVM and consistent with {@link #cellEquals}: enums by the
   * name that they had first; strings, boxes and other values as their classes specify it;
   * persistent objects by their own {@code hashCode} if their class overrides it, otherwise by
   * address. Its bits need not be well spread.
   *
   * @param key a key, of any class, storable or not: one that cannot be in a collection may have
   *     any hash code
   * @return its hash code, 0 for null
   */
  int hash(@Nullable Object key);
}
