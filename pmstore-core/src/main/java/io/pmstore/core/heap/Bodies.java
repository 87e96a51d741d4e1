package io.pmstore.core.heap;

import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.tx.LockTable;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.Transactions;
import io.pmstore.core.tx.View;
import org.jspecify.annotations.Nullable;

/**
 * Finds the body of an object, where its fields are: at its home, the address that references hold,
 * or behind a forwarder there. Safe for use by any number of threads.
 *
 * <p>The field with the forwarder's shape id needs no ordering of its own. It is set before any
 * commit makes a forwarder, and a reader of a home has seen the version that this commit gave it.
 */
public final class Bodies {
  private static final int NONE = -1;

  private final Heap heap;
  private final Transactions transactions;
  private final LockTable locks;
  private int forwarder = NONE;

  Bodies(Heap heap) {
    this.heap = heap;
    this.transactions = heap.transactions;
    this.locks = transactions.locks();
  }

  /**
   * Sets the shape of forwarders. Called before the first read of an object that may have moved,
   * and before the first move.
   *
   * @param shapeId the id of the shape {@link ForwarderLayout#CLASS_NAME}
   */
  public void forwarder(int shapeId) {
    forwarder = shapeId;
  }

  /** Returns true if a header is that of a forwarder. */
  boolean isForwarder(long header) {
    return ObjectLayout.shapeId(header) == forwarder;
  }

  /**
   * Returns the body of an object in the current view, or else in the committed state.
   *
   * @param home the address that references to it hold
   * @return the same address, or that to which the object has moved
   */
  public long body(long home) {
    if (!heap.inTransaction()) {
      return committedBody(home);
    }
    return isForwarder(heap.getLong(home, 0))
        ? heap.getLong(home, ForwarderLayout.BODY_OFFSET)
        : home;
  }

  private long committedBody(long home) {
    while (true) {
      long version = locks.versionOf(home);
      long body = seenBody(home);
      if (locks.isUnchanged(home, version)) {
        return body;
      }
    }
  }

  /** Returns the body according to bytes that may not belong to one state. */
  private long seenBody(long home) {
    return isForwarder(heap.committedLong(home, 0))
        ? heap.committedLong(home, ForwarderLayout.BODY_OFFSET)
        : home;
  }

  /**
   * Moves an object's fields to new space, in the current transaction. References to the object
   * stay as they are.
   *
   * @param home the address that references to it hold
   * @param shapeId the object's new shape
   * @param size its size in bytes, header included
   * @return the new address of the fields, all zeros behind the header
   * @throws IllegalStateException outside a transaction, or before {@link #forwarder} was called
   * @throws io.pmstore.StoreFullException if there is no room
   */
  public long move(long home, int shapeId, int size) {
    Transaction transaction = heap.required();
    if (forwarder == NONE) {
      throw new IllegalStateException("an object moves before the shape of forwarders is known");
    }
    long header = transaction.getLong(home, 0);
    long body = transaction.allocate(Heap.required(shapeId), ObjectLayout.FLAG_BODY, size);
    if (!isForwarder(header)) {
      transaction.putLong(home, 0, ObjectLayout.withShape(header, Heap.required(forwarder)));
    }
    transaction.putLong(home, ForwarderLayout.BODY_OFFSET, body);
    return body;
  }

  /**
   * Gives an object another shape, in the current transaction. Its size, and all of its bytes
   * behind the header, stay as they are.
   *
   * @param object its address, where its fields are
   * @param shapeId the shape, of no more bytes than the object has
   * @throws IllegalStateException outside a transaction
   */
  public void reshape(long object, int shapeId) {
    Transaction transaction = heap.required();
    transaction.putLong(
        object, 0, ObjectLayout.withShape(transaction.getLong(object, 0), Heap.required(shapeId)));
  }

  /**
   * Reads a primitive property of an object that may have an older shape than its class has today.
   *
   * @param home the address that references to it hold
   * @param current the shape of today
   */
  long readBits(HeapObject object, long home, int current, int offset, Width width) {
    View view = heap.view();
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
      long version = locks.versionOf(home);
      long body = home;
      long bodyVersion = version;
      long header = heap.committedLong(home, 0);
      if (isForwarder(header)) {
        body = heap.committedLong(home, ForwarderLayout.BODY_OFFSET);
        if (!locks.isUnchanged(home, version)) {
          continue;
        }
        bodyVersion = locks.versionOf(body);
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

  /**
   * Reads a property through the layer, all of one state: the transaction validates it; outside a
   * transaction it is read again until the object does not change meanwhile.
   */
  @Nullable Object readProperty(HeapObject object, int offset, int property) {
    if (heap.view() != null) {
      return heap.layer().read(object, offset, property);
    }
    long home = object.identity();
    while (true) {
      long version = locks.versionOf(home);
      long body = object.address();
      long bodyVersion = body == home ? version : locks.versionOf(body);
      try {
        Object value = heap.layer().read(object, offset, property);
        if (isUnchanged(home, version, body, bodyVersion)) {
          return value;
        }
      } catch (RuntimeException | OutOfMemoryError e) { // torn bytes can give any length
        if (isUnchanged(home, version, body, bodyVersion)) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns true if a home and its body, which may be the same, have not changed since their
   * versions were read.
   */
  private boolean isUnchanged(long home, long version, long body, long bodyVersion) {
    return locks.isUnchanged(home, version)
        && (body == home || locks.isUnchanged(body, bodyVersion));
  }

  /**
   * Returns the body of an object if it is final for all present and future views: the committed
   * shape is the current one, and no open snapshot may show an older one. Snapshots count as open
   * before they fix their positions, so one that opens meanwhile shows the current shape too. A
   * transaction that began before finds that the version of the body has changed.
   *
   * @return the body, or 0 if it is not final
   */
  long settledBody(long home, int current) {
    if (transactions.snapshots().isAnyOpen()) {
      return 0;
    }
    long version = locks.versionOf(home);
    long body = seenBody(home);
    if (!locks.isUnchanged(home, version)) {
      return 0;
    }
    long bodyVersion = body == home ? version : locks.versionOf(body);
    int shapeId = ObjectLayout.shapeId(heap.committedLong(body, 0));
    if (shapeId != current
        || !isUnchanged(home, version, body, bodyVersion)
        || transactions.snapshots().isAnyOpen()) {
      return 0;
    }
    if (body != home) {
      // The commit that moved the object raises the body's version last, perhaps only after this.
      locks.raiseTo(body, version);
    }
    return body;
  }
}
