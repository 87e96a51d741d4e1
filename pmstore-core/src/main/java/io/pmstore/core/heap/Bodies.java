package io.pmstore.core.heap;

import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.Transactions;
import io.pmstore.core.tx.View;

/**
 * Where the fields of objects are: at home, or behind a forwarder.
 *
 * <p>The forwarder's shape id needs no ordering of its own: it is known before any commit that
 * makes a forwarder, and who reads a home has seen the version that this commit gave it.
 */
final class Bodies {
  private static final int NONE = -1;

  private final Heap heap;
  private final Transactions transactions;
  private int forwarder = NONE;

  Bodies(Heap heap) {
    this.heap = heap;
    this.transactions = heap.transactions;
  }

  void forwarder(int shapeId) {
    forwarder = shapeId;
  }

  /** Whether a header is that of a forwarder. */
  boolean isForwarder(long header) {
    return ObjectLayout.shapeId(header) == forwarder;
  }

  /** Where an object's fields are in the current view, or else in the committed state. */
  long body(long home) {
    if (!heap.inTransaction()) {
      return committedBody(home);
    }
    return isForwarder(heap.getLong(home, 0))
        ? heap.getLong(home, ForwarderLayout.BODY_OFFSET)
        : home;
  }

  private long committedBody(long home) {
    while (true) {
      long version = transactions.version(home);
      long body = seenBody(home);
      if (transactions.isUnchanged(home, version)) {
        return body;
      }
    }
  }

  /** Where the fields are according to bytes that may not belong together. */
  private long seenBody(long home) {
    return isForwarder(heap.committedLong(home, 0))
        ? heap.committedLong(home, ForwarderLayout.BODY_OFFSET)
        : home;
  }

  long move(long home, int shapeId, int size) {
    Transaction transaction = heap.required();
    if (forwarder == NONE) {
      throw new IllegalStateException("an object moves before the shape of forwarders is known");
    }
    long header = transaction.getLong(home, 0);
    long body = transaction.allocate(shapeId, ObjectLayout.FLAG_BODY, size);
    if (!isForwarder(header)) {
      transaction.putLong(home, 0, ObjectLayout.withShape(header, forwarder));
    }
    transaction.putLong(home, ForwarderLayout.BODY_OFFSET, body);
    return body;
  }

  void reshape(long object, int shapeId) {
    Transaction transaction = heap.required();
    transaction.putLong(object, 0, ObjectLayout.withShape(transaction.getLong(object, 0), shapeId));
  }

  /**
   * Reads a primitive property of an evolving object.
   *
   * @param home where references to it lead
   * @param current the shape of today
   */
  long readBits(HeapObject object, long home, int current, int offset, Width width) {
    View view = heap.currentView();
    if (view == null) {
      return readCommittedBits(object, home, current, offset, width);
    }
    long body = home;
    long header = heap.getLong(view, home, 0);
    if (isForwarder(header)) {
      body = heap.getLong(view, home, ForwarderLayout.BODY_OFFSET);
      header = heap.getLong(view, body, 0);
    }
    int shapeId = ObjectLayout.shapeId(header);
    if (shapeId != current) {
      return heap.layer().readBits(object, body, shapeId, offset);
    }
    object.settle();
    return width.read(heap, body, offset);
  }

  private long readCommittedBits(
      HeapObject object, long home, int current, int offset, Width width) {
    while (true) {
      long version = transactions.version(home);
      long body = home;
      long bodyVersion = version;
      long header = heap.committedLong(home, 0);
      if (isForwarder(header)) {
        body = heap.committedLong(home, ForwarderLayout.BODY_OFFSET);
        if (!transactions.isUnchanged(home, version)) {
          continue;
        }
        bodyVersion = transactions.version(body);
        header = heap.committedLong(body, 0);
      }
      int shapeId = ObjectLayout.shapeId(header);
      try {
        long bits =
            shapeId == current
                ? width.read(heap, body, offset)
                : heap.layer().readBits(object, body, shapeId, offset);
        if (isUnchanged(home, version, body, bodyVersion)) {
          if (shapeId == current) {
            object.settle();
          }
          return bits;
        }
      } catch (RuntimeException e) {
        if (isUnchanged(home, version, body, bodyVersion)) {
          throw e;
        }
      }
    }
  }

  /** Whether two objects, or one, have not changed since their versions were read. */
  boolean isUnchanged(long home, long version, long body, long bodyVersion) {
    return transactions.isUnchanged(home, version)
        && (body == home || transactions.isUnchanged(body, bodyVersion));
  }

  /**
   * Says where an object is for good, for all who run and will run: its committed shape is the
   * current one, and no snapshot is open that may show an older one. Snapshots count as open before
   * they fix what they show, so one opened meanwhile shows the current shape too. A transaction
   * that began before finds the body changed since, and its version tells.
   *
   * @return the body, or 0 if it is not settled
   */
  long settledBody(long home, int current) {
    if (transactions.isAnySnapshotOpen()) {
      return 0;
    }
    long version = transactions.version(home);
    long body = seenBody(home);
    if (!transactions.isUnchanged(home, version)) {
      return 0;
    }
    long bodyVersion = body == home ? version : transactions.version(body);
    int shapeId = ObjectLayout.shapeId(heap.committedLong(body, 0));
    if (shapeId != current
        || !isUnchanged(home, version, body, bodyVersion)
        || transactions.isAnySnapshotOpen()) {
      return 0;
    }
    if (body != home) {
      // The commit that moved it gives the body its version last, perhaps only after this.
      transactions.raise(body, version);
    }
    return body;
  }
}
