package io.pmstore.core.engine.mapped.commit;

import static java.util.Objects.requireNonNull;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.log.LogPosition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A commit that has its place in the log, or excludes other commits until it has; with its record
 * until that is in the log.
 *
 * <p>The thread of the commit writes its record itself. Threads that wait behind it may write the
 * same bytes to the same place too, because the operating system may suspend the commit's thread
 * for milliseconds in the middle of the write ({@link WrittenPrefix}).
 */
public final class Placed {
  private static final byte[] NONE = {};
  private static final VarHandle HELPERS;

  static {
    try {
      HELPERS = MethodHandles.lookup().findVarHandle(Placed.class, "helpers", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable WriteSet writes; // null when the commit is applied
  private @Nullable Fragments fragments;
  private final boolean isRelaxed;
  private @Nullable LogPosition place;
  // Other threads compare it with theirs, without a fence: one that still sees a phase that the
  // commit has left is in that phase itself, which therefore is not quiet.
  private @Nullable Phase entered;

  // The record: set before other threads find the commit, unchanged until it is written.
  private byte[] record = NONE;
  private int size;
  private int part;
  private long durable;

  @SuppressWarnings("unused") // through HELPERS
  private int helpers;

  Placed(WriteSet writes, @Nullable Fragments fragments) {
    this.writes = writes;
    this.fragments = fragments;
    this.isRelaxed = writes.isRelaxed();
  }

  WriteSet writes() {
    return requireNonNull(writes);
  }

  boolean isRelaxed() {
    return isRelaxed;
  }

  @Nullable Fragments fragments() {
    return fragments;
  }

  LogPosition place() {
    return requireNonNull(place);
  }

  long sequence() {
    return place().sequence();
  }

  /** Notes the place of the only or last record, and the phase that the commit has entered. */
  void enter(LogPosition at, Phase phase) {
    place = at;
    entered = phase;
  }

  Phase entered() {
    return requireNonNull(entered);
  }

  /**
   * Returns true if two commits are in one phase. Asked by a thread whose commit does not leave.
   */
  boolean isInPhaseOf(Placed other) {
    return entered == other.entered;
  }

  /** Leaves the phase. A second call does nothing. */
  public void leave() {
    Phase left = entered;
    if (left != null) {
      entered = null;
      writes = null; // the ring of commits still has this one
      fragments = null;
      left.leave();
    }
  }

  /** Notes what the only or last record is. */
  void record(byte[] bytes, int length, int number, long durableBefore) {
    record = bytes;
    size = length;
    part = number;
    durable = durableBefore;
  }

  /** Returns a copy of the record. It is whole if the record is not noted as written by then. */
  byte[] copyOfRecord() {
    byte[] copy = Arrays.copyOf(record, size);
    VarHandle.loadLoadFence();
    return copy;
  }

  int size() {
    return size;
  }

  int part() {
    return part;
  }

  /** Returns the last sequence known to be durable when the record was made. */
  long durable() {
    return durable;
  }

  /** Admits a helper if exactly {@code before} were admitted; returns false otherwise. */
  boolean admitHelper(int before) {
    return HELPERS.compareAndSet(this, before, before + 1);
  }

  /** Lets go of the record, whose array will contain another one. It is noted as written. */
  void dropRecord() {
    VarHandle.storeStoreFence(); // for copyOfRecord
    record = NONE;
  }
}
