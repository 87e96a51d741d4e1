package io.pmstore.core.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;

/** A transaction, from the begin of its first attempt to its acknowledgement. A sample of them. */
@Name("pmstore.Transaction")
@Label("Transaction")
@Description(
    "A transaction, with all attempts and the wait for the disk. Of short ones one in 1,024 is"
        + " looked at, and of these as many as the throttle says")
@Category("pmstore")
@StackTrace(false)
@Throttle("100/s")
public final class TransactionEvent extends Event {
  /** How a transaction ended. */
  public enum Outcome {
    /** It changed the store. */
    COMMITTED("Committed"),
    /** It changed nothing. */
    READ_ONLY("Read only"),
    /** An exception ended it. */
    ROLLED_BACK("Rolled back");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }
  }

  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("Outcome")
  String outcome = "";

  @Label("Attempts")
  @Description("How often the body ran: once, and again after each conflict")
  int attempts;

  @Label("Objects Read")
  @Description("Objects and counters that the last attempt read")
  int objectsRead;

  @Label("Objects Written")
  @Description("Objects that the last attempt made or changed")
  int objectsWritten;

  @Label("Log Bytes")
  @Description("The size of the record, without its header")
  @DataAmount
  long logBytes;

  @Label("Durability Wait")
  @Description("How long the commit waited until it was durable")
  @Timespan(Timespan.NANOSECONDS)
  long durabilityWait;

  private TransactionEvent() {}

  static TransactionEvent started() {
    TransactionEvent event = new TransactionEvent();
    event.begin();
    return event;
  }

  /**
   * Ends the event and records it if it is enabled, long enough, and within the throttle.
   *
   * @param directory of the store
   * @param how it ended
   * @param runs of the body
   * @param read how many objects it read
   * @param written how many it made or changed
   * @param bytes of its record
   * @param waitNanos how long it waited until it was durable
   */
  public void ended(
      String directory, Outcome how, int runs, int read, int written, long bytes, long waitNanos) {
    end();
    if (shouldCommit()) {
      store = directory;
      outcome = how.label;
      attempts = runs;
      objectsRead = read;
      objectsWritten = written;
      logBytes = bytes;
      durabilityWait = waitNanos;
      commit();
    }
  }
}
