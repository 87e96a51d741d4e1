package io.pmstore.jmh.structures;

import io.pmstore.PmStore;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map from {@code long} keys to objects, made of ordinary persistent objects.
 *
 * <p>Methods that change are called inside a transaction, and those that read as well if others
 * write at the same time.
 */
public interface LongMap {
  /**
   * Finds a value.
   *
   * @param key where it was put
   * @return the value; null if there is none
   */
  @Nullable Object get(long key);

  /**
   * Puts a value.
   *
   * @param store where the map is
   * @param key of the value
   * @param value a value or a persistent object
   * @return the value that the key had; null if it is new
   */
  @Nullable Object put(PmStore store, long key, Object value);

  /** Removes a key. Returns its value; null if it was not there. */
  @Nullable Object remove(long key);

  /**
   * Visits the entries of a range, in the order of their keys.
   *
   * @param to the key behind the last
   * @param visitor takes values and their keys
   */
  void visit(long from, long to, ObjLongConsumer<Object> visitor);
}
