package io.pmstore.raft;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A commit that this node has proposed to the others, until it knows the outcome.
 *
 * <pre>
 *   WAITING ---> APPLYING ---> COMMITTED     the state machine has it: it will be, or is, in the heap
 *      |\------> REFUSED                     no node will ever apply it
 *       \------> UNKNOWN                     nobody waits any more; it may be applied or not
 * </pre>
 *
 * <p>The proposer's thread waits and may give up; other threads decide. Thread-safe.
 */
final class Proposal {
  enum State {
    WAITING,
    APPLYING,
    COMMITTED,
    REFUSED,
    UNKNOWN
  }

  private final long term;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final CountDownLatch decided = new CountDownLatch(1);
  private volatile boolean appended;
  private volatile boolean doubtful;
  private volatile long doubtfulSince;
  private volatile long position;
  private volatile String reason = "";

  Proposal(long term) {
    this.term = term;
  }

  /** The term in which it was validated. */
  long term() {
    return term;
  }

  /** Notes that the log of this node may have the entry from now on. */
  void appended() {
    appended = true;
  }

  boolean isAppended() {
    return appended;
  }

  /** Takes the proposal for applying; false if its proposer has given up. */
  boolean claim() {
    return state.compareAndSet(State.WAITING, State.APPLYING);
  }

  /** Ends {@link #claim}: the heap has it. */
  void committed(long at) {
    position = at;
    state.set(State.COMMITTED);
    decided.countDown();
  }

  /** Ends {@link #claim} when applying has failed, and the node with it. */
  void failed(Throwable t) {
    reason = t.toString();
    state.set(State.UNKNOWN);
    decided.countDown();
  }

  /** Decides that no node will ever apply it. */
  void refuse(String why) {
    reason = why;
    if (state.compareAndSet(State.WAITING, State.REFUSED)) {
      decided.countDown();
    }
  }

  /** Starts the time after which the proposer gives up. */
  void doubt(String why) {
    if (!doubtful) {
      reason = why;
      doubtfulSince = System.nanoTime();
      doubtful = true;
    }
  }

  /**
   * Waits for the outcome.
   *
   * @param patienceNanos how long, once the leadership is lost
   * @return {@link State#COMMITTED}, {@link State#REFUSED} or {@link State#UNKNOWN}
   */
  State await(long patienceNanos) {
    boolean interrupted = false;
    try {
      while (true) {
        State now = state.get();
        if (now != State.WAITING && now != State.APPLYING) {
          return now;
        }
        if (now == State.WAITING
            && doubtful
            && System.nanoTime() - doubtfulSince > patienceNanos
            && state.compareAndSet(State.WAITING, State.UNKNOWN)) {
          return State.UNKNOWN;
        }
        try {
          boolean done = decided.await(20, TimeUnit.MILLISECONDS);
          if (done && state.get() == State.WAITING) {
            throw new IllegalStateException("a proposal was decided without a decision");
          }
        } catch (InterruptedException e) {
          interrupted = true; // a commit is not given up because of that
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  long position() {
    return position;
  }

  String reason() {
    return reason;
  }
}
