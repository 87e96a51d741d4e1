package io.pmstore.jmh.structures;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map from {@code long} keys to objects, as one linked list: the simplest structure, whose
 * operations walk half of it on average.
 *
 * <p>Safe for use by any number of threads as far as transactions are.
 */
@Persistent(root = "sortedlist")
public class SortedLinkedList implements LongMap {
  private @Nullable Node first;

  /** An entry of the list. */
  @Persistent
  static class Node {
    private long key;
    private @Nullable Object value;
    private @Nullable Node next;

    long getKey() {
      return key;
    }

    void setKey(long key) {
      this.key = key;
    }

    @Nullable Object getValue() {
      return value;
    }

    void setValue(@Nullable Object value) {
      this.value = value;
    }

    @Nullable Node getNext() {
      return next;
    }

    void setNext(@Nullable Node next) {
      this.next = next;
    }
  }

  /** The last node before a key; null if there is none. */
  private @Nullable Node before(long key) {
    Node before = null;
    for (Node at = first; at != null && at.getKey() < key; at = at.getNext()) {
      before = at;
    }
    return before;
  }

  private @Nullable Node behind(@Nullable Node before) {
    return before == null ? first : before.getNext();
  }

  private void link(@Nullable Node before, @Nullable Node next) {
    if (before == null) {
      first = next;
    } else {
      before.setNext(next);
    }
  }

  @Override
  public @Nullable Object get(long key) {
    Node node = behind(before(key));
    return node == null || node.getKey() != key ? null : node.getValue();
  }

  @Override
  public @Nullable Object put(PmStore store, long key, Object value) {
    Node before = before(key);
    Node found = behind(before);
    if (found != null && found.getKey() == key) {
      Object old = found.getValue();
      found.setValue(value);
      return old;
    }
    Node node = store.create(Node.class);
    node.setKey(key);
    node.setValue(value);
    node.setNext(found);
    link(before, node);
    return null;
  }

  @Override
  public @Nullable Object remove(long key) {
    Node before = before(key);
    Node found = behind(before);
    if (found == null || found.getKey() != key) {
      return null;
    }
    link(before, found.getNext());
    return found.getValue();
  }

  @Override
  public void visit(long from, long to, ObjLongConsumer<Object> visitor) {
    for (Node at = behind(before(from)); at != null && at.getKey() < to; at = at.getNext()) {
      Object value = at.getValue();
      if (value != null) {
        visitor.accept(value, at.getKey());
      }
    }
  }
}
