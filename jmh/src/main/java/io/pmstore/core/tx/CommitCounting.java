package io.pmstore.core.tx;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.events.TransactionEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a commit of one object does for metrics and events, without the commit: the calls of {@link
 * Attempts#run} and of {@link Transaction}, in their order, on counters of its own in a store. It
 * is in this package because these calls are nobody else's. For the thread that made it.
 */
public final class CommitCounting {
  private final TransactionCounts.Cell counts;
  private final TransactionEvents events;
  private final ChangeSet changes = new ChangeSet(new WriteSet());
  private final int objects;
  private final long bytes;

  private CommitCounting(Transaction transaction, int objects, long bytes) {
    this.counts = transaction.transactions().counts().cell(transaction);
    this.events = transaction.transactions().events();
    this.objects = objects;
    this.bytes = bytes;
  }

  /**
   * Makes one for the calling thread, with new counters in the store that it used last.
   *
   * @param objects that a commit changes
   * @param bytes of its record, without the header
   */
  public static CommitCounting ofThisThread(int objects, long bytes) {
    Transaction usedLast =
        Objects.requireNonNull(ThreadSlot.mine().usedLast(), "the thread has used no store");
    return new CommitCounting(usedLast, objects, bytes);
  }

  /**
   * Counts a commit, and records it if it is one of those that are timed. Returns what must not be
   * optimized away.
   */
  public long commit() {
    long began = counts.begin();
    TransactionEvent event = began == 0 ? null : Recorder.transaction();
    counts.committed(objects, bytes);
    events.committed(changes);
    long committed = event == null ? 0 : System.nanoTime();
    if (began != 0) {
      counts.timed(began, true);
    }
    record(event, committed);
    return began;
  }

  private void record(@Nullable TransactionEvent event, long committed) {
    if (event != null) {
      event.ended(
          events.store(),
          TransactionEvent.Outcome.COMMITTED,
          1,
          0,
          objects,
          bytes,
          System.nanoTime() - committed);
    }
  }
}
