package io.pmstore.core.tx.history;

import java.util.ArrayList;
import java.util.List;

/**
 * One run of a transaction's body, committed or not: what it did, in its order, and when. Filled by
 * the thread that runs the body.
 */
public final class Attempt {
  private final String thread;
  private final long begun;
  private final List<Event> events = new ArrayList<>();
  private long ended = Long.MAX_VALUE;
  private boolean committed;

  /**
   * Begins one now.
   *
   * @param thread who runs it, for messages
   */
  public Attempt(String thread) {
    this(thread, System.nanoTime());
  }

  /**
   * Begins one at a chosen time.
   *
   * @param thread who runs it, for messages
   * @param begun when
   */
  Attempt(String thread, long begun) {
    this.thread = thread;
    this.begun = begun;
  }

  /**
   * Notes what the body did.
   *
   * @param event what
   * @return this
   */
  public Attempt did(Event event) {
    events.add(event);
    return this;
  }

  /** Ends it now, committed: its caller has been told so. */
  public void committed() {
    committed(System.nanoTime());
  }

  /** Ends it now, rolled back: what it read must have been right nevertheless. */
  public void rolledBack() {
    ended = System.nanoTime();
  }

  Attempt committed(long at) {
    ended = at;
    committed = true;
    return this;
  }

  Attempt rolledBack(long at) {
    ended = at;
    return this;
  }

  boolean isCommitted() {
    return committed;
  }

  long begun() {
    return begun;
  }

  long ended() {
    return ended;
  }

  List<Event> events() {
    return events;
  }

  @Override
  public String toString() {
    return "%s %s [%d, %d] %s"
        .formatted(thread, committed ? "committed" : "rolled back", begun, ended, events);
  }
}
