package io.pmstore.jmh.intset;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/**
 * A set as a hash table with a fixed number of buckets, each a sorted linked list: that is how the
 * study's table is made. The buckets are in a {@link List}, not in an array: an array is a value in
 * pmstore, whose getter copies it.
 */
@Persistent
public class HashTable implements IntSet {
  private List<Element> buckets = new ArrayList<>();

  /** For the store, which fills it. */
  public HashTable() {}

  /**
   * An empty one.
   *
   * @param count of its buckets, at least 1: as many as there will be keys
   */
  public HashTable(int count) {
    for (int i = 0; i < count; i++) {
      buckets.add(Element.first());
    }
  }

  private Element bucket(long key) {
    return buckets.get((int) Long.remainderUnsigned(key, buckets.size()));
  }

  @Override
  public boolean contains(long key) {
    return bucket(key).contains(key);
  }

  @Override
  public boolean add(long key) {
    return bucket(key).add(key);
  }

  @Override
  public boolean remove(long key) {
    return bucket(key).remove(key);
  }
}
