package io.pmstore.core.tx;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.Reservation;
import java.util.ArrayList;

/**
 * The space that a transaction has set aside: one reservation for each new object, in the order of
 * their copies. For the thread of the transaction; reused for its next one.
 */
final class Reservations {
  private final Allocator allocator;
  private final WorkingCopies copies;
  private final ArrayList<Reservation> all = new ArrayList<>();

  Reservations(Allocator allocator, WorkingCopies copies) {
    this.allocator = allocator;
    this.copies = copies;
  }

  /** Sets space aside for an object, whose copy is to be added next; returns its address. */
  long add(int size) {
    Reservation reservation = allocator.reserve(size);
    all.add(reservation);
    return reservation.address();
  }

  /** Adds to a write set what makes the space of all objects permanent that are not dropped. */
  void commit(WriteSet writes) {
    int next = 0;
    for (int copy = 0; copy < copies.count(); copy++) {
      if (copies.isFresh(copy)) {
        Reservation reservation = all.get(next++);
        if (!copies.isDropped(copy)) {
          allocator.commit(reservation, writes);
        }
      }
    }
  }

  /** Notes that the write set was committed, and gives the space of dropped objects back. */
  void committed() {
    int next = 0;
    for (int copy = 0; copy < copies.count(); copy++) {
      if (copies.isFresh(copy)) {
        Reservation reservation = all.get(next++);
        if (copies.isDropped(copy)) {
          allocator.release(reservation);
        } else {
          allocator.committed(reservation);
        }
      }
    }
  }

  /** Gives all of it back. */
  void release() {
    for (Reservation reservation : all) {
      allocator.release(reservation);
    }
  }

  void clear() {
    all.clear();
  }
}
