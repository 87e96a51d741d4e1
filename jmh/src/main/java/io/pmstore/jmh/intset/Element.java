package io.pmstore.jmh.intset;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** A key in a chain of keys that rise; the first element of a chain has none that counts. */
@Persistent
public class Element {
  private long key;
  private @Nullable Element next;

  /** For the store, which fills it. */
  public Element() {}

  /** The beginning of a chain without keys. */
  static Element first() {
    return new Element(Long.MIN_VALUE, null);
  }

  /**
   * A key before others.
   *
   * @param next those behind; null at the end
   */
  public Element(long key, @Nullable Element next) {
    this.key = key;
    this.next = next;
  }

  public long getKey() {
    return key;
  }

  public @Nullable Element getNext() {
    return next;
  }

  public void setNext(@Nullable Element next) {
    this.next = next;
  }

  /** The last element before a key, from this one on, which is before it. */
  private Element before(long wanted) {
    Element at = this;
    for (Element behind = at.getNext();
        behind != null && behind.getKey() < wanted;
        behind = at.getNext()) {
      at = behind;
    }
    return at;
  }

  /** Returns true if a key is behind this one. */
  boolean contains(long wanted) {
    Element found = before(wanted).getNext();
    return found != null && found.getKey() == wanted;
  }

  /** Adds a key behind this one, in its place; false if it is there. */
  boolean add(long wanted) {
    Element before = before(wanted);
    Element found = before.getNext();
    if (found != null && found.getKey() == wanted) {
      return false;
    }
    before.setNext(new Element(wanted, found));
    return true;
  }

  /** Removes a key behind this one; false if it is not there. */
  boolean remove(long wanted) {
    Element before = before(wanted);
    Element found = before.getNext();
    if (found == null || found.getKey() != wanted) {
      return false;
    }
    before.setNext(found.getNext());
    return true;
  }
}
