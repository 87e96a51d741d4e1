package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Trail;
import io.pmstore.proxy.collection.LinkedOrder.End;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the entries of a linked map or set in their order, from one end to the other.
 *
 * <p>Its position is the next entry and the last visited one, by key and number. If other threads
 * have removed or moved both, it searches for the next entry's place from both ends of the
 * collection.
 *
 * @param from the end that the walk starts from
 * @param visited the last entry that was visited; null at the start
 * @param next the entry to continue with; null at the start
 */
record LinkedWalk<K extends @Nullable Object>(
    HashTable<K> table,
    LinkedOrder order,
    End from,
    @Nullable Place<K> visited,
    @Nullable Place<K> next)
    implements Walk {

  /** The position of an entry. */
  record Place<K extends @Nullable Object>(K key, long number) {}

  /** Starts at an end. */
  LinkedWalk(HashTable<K> table, LinkedOrder order, End from) {
    this(table, order, from, null, null);
  }

  @Override
  public @Nullable Walk visit(EntryVisitor visitor) {
    long last = 0;
    boolean more = true;
    Trail trail = new Trail();
    long start = start();
    if (start != 0 && visited != null) {
      checkGoesOn(visited.number(), start);
    }
    for (long entry = start; entry != 0; entry = order.beside(entry, from.other())) {
      trail.step(entry);
      if (!more) {
        checkGoesOn(order.number(start), entry);
        return new LinkedWalk<>(table, order, from, place(last), place(entry));
      }
      more = visitor.entry(entry);
      last = entry;
    }
    return null;
  }

  /** Throws if the walk has not moved away from where it was: it might never end. */
  private void checkGoesOn(long before, long entry) {
    long after = order.number(entry);
    if (before != after && (before < after) == (from == End.FIRST)) {
      return;
    }
    throw CollectionDamage.in(
        "an entry",
        entry,
        "number " + after + ", and the links lead there from number " + before,
        "numbers that grow");
  }

  private Place<K> place(long entry) {
    return new Place<>(table.key(entry), order.number(entry));
  }

  private long start() {
    if (next == null || visited == null) {
      return order.at(table.address(), from);
    }
    long entry = find(next);
    if (entry != 0) {
      return entry;
    }
    entry = find(visited);
    return entry != 0 ? order.beside(entry, from.other()) : search(next.number());
  }

  /** Returns the entry if it has not been moved, or else 0. */
  private long find(Place<K> place) {
    long entry = table.find(place.key());
    return entry != 0 && order.number(entry) == place.number() ? entry : 0;
  }

  /** Returns the first entry of this walk with a number at or behind {@code number}, or 0. */
  private long search(long number) {
    long near = order.at(table.address(), from);
    long far = order.at(table.address(), from.other());
    long found = 0;
    Trail trail = new Trail();
    while (true) {
      trail.step(near);
      if (near == 0 || reaches(near, number)) {
        return near;
      }
      if (far == 0 || !reaches(far, number)) {
        return found;
      }
      found = far;
      near = order.beside(near, from.other());
      far = order.beside(far, from);
    }
  }

  private boolean reaches(long entry, long number) {
    return from == End.FIRST ? order.number(entry) >= number : order.number(entry) <= number;
  }
}
