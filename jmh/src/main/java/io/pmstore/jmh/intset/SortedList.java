package io.pmstore.jmh.intset;

import io.pmstore.Persistent;

/** A set as one sorted linked list: an operation walks half of it on average. */
@Persistent
public class SortedList implements IntSet {
  private Element first = Element.first();

  @Override
  public boolean contains(long key) {
    return first.contains(key);
  }

  @Override
  public boolean add(long key) {
    return first.add(key);
  }

  @Override
  public boolean remove(long key) {
    return first.remove(key);
  }
}
