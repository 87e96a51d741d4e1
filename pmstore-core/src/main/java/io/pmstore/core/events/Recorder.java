package io.pmstore.core.events;

import java.nio.file.Path;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Creates Flight Recorder events. The first use of an event class initializes Flight Recorder,
 * which takes longer than opening a store; so no event class is touched before a recording was
 * started. Events that began before that are not recorded.
 */
public final class Recorder {
  private Recorder() {}

  /** Begins the event of a checkpoint. Returns null if nothing is recorded. */
  public static @Nullable CheckpointEvent checkpoint() {
    return FlightRecorder.isInitialized() ? CheckpointEvent.started() : null;
  }

  /** Begins the event of a transaction. Returns null if nothing is recorded. */
  public static @Nullable TransactionEvent transaction() {
    return FlightRecorder.isInitialized() ? TransactionEvent.started() : null;
  }

  /** Returns true if a recording was started, so that events may be recorded. */
  public static boolean isInitialized() {
    return FlightRecorder.isInitialized();
  }

  /**
   * Records that an attempt at a transaction was rolled back because of a conflict.
   *
   * @param store its directory
   * @param objectClass of the object that another transaction had changed, or an empty text
   * @param failedAttempts of this transaction, this one included
   */
  public static void conflict(String store, String objectClass, int failedAttempts) {
    if (FlightRecorder.isInitialized()) {
      new ConflictEvent(store, objectClass, failedAttempts).commit();
    }
  }

  /** Begins the event of a heap that grows. Returns null if nothing is recorded. */
  public static @Nullable HeapGrowthEvent heapGrowth() {
    return FlightRecorder.isInitialized() ? HeapGrowthEvent.started() : null;
  }

  /** Begins the event of an opening. Returns null if nothing is recorded. */
  public static @Nullable OpeningEvent opening() {
    return FlightRecorder.isInitialized() ? OpeningEvent.started() : null;
  }

  /** Begins the event of an upgrade. Returns null if nothing is recorded. */
  public static @Nullable UpgradeEvent upgrade() {
    return FlightRecorder.isInitialized() ? UpgradeEvent.started() : null;
  }

  /**
   * Begins the event of a commit that waits. Returns null if nothing is recorded.
   *
   * @param directory of the store
   */
  public static @Nullable CommitStallEvent stall(Path directory, CommitStallEvent.Cause cause) {
    return FlightRecorder.isInitialized() ? CommitStallEvent.started(directory, cause) : null;
  }

  /**
   * Ends an event, and records it if it took longer than its threshold.
   *
   * @param stall from {@link #stall}
   */
  public static void ended(@Nullable CommitStallEvent stall) {
    if (stall != null) {
      stall.commit();
    }
  }

  /**
   * Records that a transaction lost the right to run alone.
   *
   * @param holder the thread of the transaction
   * @param place what the thread was executing
   * @param waits true if the thread was waiting, false if it was running
   * @param nanos how long the transaction had run alone
   */
  public static void turnEnded(Thread holder, String place, boolean waits, long nanos) {
    if (FlightRecorder.isInitialized()) {
      new TurnEndedEvent(holder, place, waits, nanos).commit();
    }
  }

  /**
   * Records that a thread wrote while another thread's transaction seemed to wait for it.
   *
   * @param place where the program wrote
   * @param holder the thread of the transaction
   * @param holderPlace what that thread was executing
   */
  public static void writeBeside(String place, Thread holder, String holderPlace) {
    if (FlightRecorder.isInitialized()) {
      new WriteBesideTransactionEvent(place, holder, holderPlace).commit();
    }
  }
}
