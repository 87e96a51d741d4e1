package io.pmstore.model.shared;

/** A hash map in a store, from the numbers 0 to size - 1 to numbers. */
public interface LookupTable extends AutoCloseable {
  /** Adds numbers until there are so many. */
  void fill(long size);

  /**
   * Looks a key up.
   *
   * @param key from 0 to size - 1
   * @return the value: the key and one
   * @throws IllegalStateException if it is not there
   */
  long get(long key);

  @Override
  void close();
}
