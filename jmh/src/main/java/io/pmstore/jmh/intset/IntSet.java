package io.pmstore.jmh.intset;

/**
 * A set of {@code long} keys, each implementation one ordinary class: a plain Java object if it is
 * made with {@code new}, and a persistent one from when it is assigned to {@link Sets}.
 *
 * <p>Elements are made with {@code new} too, and become persistent when they are linked: that is
 * what is written by who wants one class for both. {@code store.create} would be cheaper, but plain
 * objects have no store.
 *
 * <p>Safe for use by any number of threads as far as transactions are; plain ones are for one
 * thread.
 */
public interface IntSet {
  /**
   * Looks a key up.
   *
   * @param key not negative
   * @return whether it is in the set
   */
  boolean contains(long key);

  /**
   * Adds a key.
   *
   * @param key not negative
   * @return whether it was not in the set
   */
  boolean add(long key);

  /**
   * Removes a key.
   *
   * @param key not negative
   * @return whether it was in the set
   */
  boolean remove(long key);
}
