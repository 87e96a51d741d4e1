package io.pmstore.core.tx;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of the store that a body sees: its transaction's or a snapshot's. Used by the thread
 * that runs the body only; other threads may call {@link #run} and {@link #isActive}.
 *
 * <p>{@code object} is the address of an object, {@code offset} that of a field in it, in bytes,
 * naturally aligned. Objects are 8-byte aligned and whole words long, so a value of any width is
 * part of one word.
 */
public abstract sealed class View permits Transaction, SnapshotView {
  /** What {@link #beginRead} returns if the version of the object says nothing. */
  public static final long NO_VERSION = -1;

  private static final int BUFFER_SIZE = 4096;

  private final Transactions transactions;
  private final ArrayList<Outcome> outcomes = new ArrayList<>();
  private final AtomicLong runs = new AtomicLong();
  private final AtomicBoolean active = new AtomicBoolean();
  private byte @Nullable [] buffer;

  View(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Begins. The full fence orders this before the caller checks whether the store is closing. */
  final void activate() {
    nextRun();
    active.set(true);
  }

  /** Ends. A thread that has waited for the end sees everything before it. */
  final void deactivate() {
    nextRun();
    active.setRelease(false); // a full fence would wait for all stores of the commit
  }

  /** Begins a new run: what was read before does not count any more. */
  final void nextRun() {
    runs.lazySet(runs.getPlain() + 1);
  }

  /** Returns a number that changes each time the view begins to see another state. */
  final long run() {
    return runs.get();
  }

  final boolean isActive() {
    return active.get();
  }

  final Transactions transactions() {
    return transactions;
  }

  /**
   * Registers for the end of this attempt at a transaction, or of the snapshot.
   *
   * @param outcome is told
   */
  public final void onOutcome(Outcome outcome) {
    outcomes.add(outcome);
  }

  final void tell(boolean committed) {
    if (committed) {
      for (Outcome outcome : outcomes) {
        outcome.committed();
      }
    } else {
      while (!outcomes.isEmpty()) {
        outcomes.getLast().rolledBack();
        outcomes.removeLast(); // not before: a roll-back that an error ends is made again
      }
    }
    outcomes.clear();
  }

  /** Reads a {@code long}. */
  public abstract long getLong(long object, int offset);

  /** Reads bytes into the beginning of an array. */
  public abstract void read(long object, int offset, byte[] target, int length);

  /**
   * Begins a read, from the heap, under the version of an object: of bytes elsewhere that only
   * commits change which change the object, too.
   *
   * @param object in which this view has read where those bytes are; 0 if that is not known
   * @return what {@link #endRead} needs; {@link #NO_VERSION} if the bytes have to be read with the
   *     version of the object that they are in
   */
  public abstract long beginRead(long object);

  /**
   * Ends the read.
   *
   * @param begun what {@link #beginRead} returned
   * @return true if what was read since is of the state that this view sees
   */
  public abstract boolean endRead(long object, long begun);

  /** Returns an array of 4 KiB for bytes that the caller uses before it calls anything else. */
  public final byte[] buffer() {
    byte[] kept = buffer;
    if (kept == null) {
      kept = new byte[BUFFER_SIZE];
      buffer = kept;
    }
    return kept;
  }

  /** Reads a counter, which is a word. */
  public abstract long counter(long object, int offset);

  /**
   * Returns true if this view's transaction has made an object, which no other thread sees yet.
   *
   * @param object its address
   * @return true for an object that exists once this transaction has committed
   */
  public abstract boolean hasMade(long object);

  /**
   * Returns true if a Java object may be made for an object that this view has read, because no
   * commit has freed it since. Waits for nothing.
   *
   * @param object its address
   * @return false if it has to be read again
   */
  public abstract boolean mayBePinned(long object);

  /**
   * Returns true if this is the view of a snapshot that was opened before a commit.
   *
   * @param commit its position
   */
  public boolean isBefore(long commit) {
    return false;
  }

  /** Returns the word that a value is in, shifted so that the value is in the lowest bits. */
  private long shifted(long object, int offset) {
    return getLong(object, offset & ~7) >>> (offset << 3); // Java shifts by the lowest six bits
  }

  /** Reads a {@code byte}. */
  public final byte getByte(long object, int offset) {
    return (byte) shifted(object, offset);
  }

  /** Reads a {@code short}. */
  public final short getShort(long object, int offset) {
    return (short) shifted(object, offset);
  }

  /** Reads a {@code char}. */
  public final char getChar(long object, int offset) {
    return (char) shifted(object, offset);
  }

  /** Reads an {@code int}. */
  public final int getInt(long object, int offset) {
    return (int) shifted(object, offset);
  }
}
