package io.pmstore.core.tx;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.Reservation;
import java.util.ArrayList;

/**
 * The space that a transaction has reserved: one reservation for each new object, in the order of
 * the working changes. Used by the transaction's thread only; reused for its next transaction.
 */
final class Reservations {
  private static final int KEPT_MAX = 256;

  private final Allocator allocator;
  private final ChangeSet changes;
  private final ArrayList<Reservation> all = new ArrayList<>(); // of earlier transactions behind
  private int count;

  Reservations(Allocator allocator, ChangeSet changes) {
    this.allocator = allocator;
    this.changes = changes;
  }

  /** Reserves space for an object, whose working copy is added next; returns its address. */
  long add(int size) {
    if (count == all.size()) {
      all.add(new Reservation());
    }
    Reservation reservation = all.get(count);
    allocator.reserve(size, reservation);
    count++;
    return reservation.address();
  }

  /** Releases the last one. */
  void removeLast() {
    count--;
    allocator.release(all.get(count));
    all.get(count).clear();
  }

  /** Adds to a write set the deltas that allocate the space of all objects but the dropped ones. */
  void commit(WriteSet writes) {
    int next = 0;
    for (int copy = 0; copy < changes.count(); copy++) {
      if (changes.isFresh(copy)) {
        Reservation reservation = all.get(next++);
        if (!changes.isDropped(copy)) {
          allocator.commit(reservation, writes);
        }
      }
    }
  }

  /**
   * Tells the allocator that the write set was committed, and releases the space of dropped
   * objects. Counts the others. Returns the number of dropped ones.
   */
  int committed(TransactionCounts.Cell counts) {
    if (count == 0) {
      return 0;
    }
    int next = 0;
    int dropped = 0;
    long bytes = 0;
    for (int copy = 0; copy < changes.count(); copy++) {
      if (changes.isFresh(copy)) {
        Reservation reservation = all.get(next++);
        if (changes.isDropped(copy)) {
          allocator.release(reservation);
          dropped++;
        } else {
          allocator.committed(reservation);
          bytes += reservation.bytes();
        }
      }
    }
    counts.add(TransactionCounts.OBJECTS_MADE, count - dropped);
    counts.add(TransactionCounts.BYTES_MADE, bytes);
    return dropped;
  }

  void release() {
    while (count > 0) {
      removeLast();
    }
  }

  void clear() {
    if (all.size() > KEPT_MAX) {
      all.clear();
    } else {
      for (int i = 0; i < count; i++) {
        all.get(i).clear();
      }
    }
    count = 0;
  }
}
