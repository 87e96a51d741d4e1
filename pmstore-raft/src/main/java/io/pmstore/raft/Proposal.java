package io.pmstore.raft;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A commit that this node has proposed to the other nodes, until this node knows the outcome.
 *
 * <pre>
 *   WAITING ---> APPLYING ---> COMMITTED     the state machine has it: it will be, or is, in the heap
 *      |\------> OUTDATED                    an earlier entry changes what it has read; does nothing
 *      |\------> REFUSED                     no node will ever apply it
 *       \------> UNKNOWN                     the proposer has stopped waiting; it may be applied or not
 * </pre>
 *
 * <p>The proposer's thread waits, and stops waiting after a time. Other threads decide the outcome.
 * Thread-safe.
 */
final class Proposal {
  enum State {
    WAITING,
    APPLYING,
    COMMITTED,
    OUTDATED,
    REFUSED,
    UNKNOWN
  }

  /** Why a proposal of an earlier term is refused. */
  static final String TOO_LATE = "another node led before it was in the log";

  private final long term;
  private final byte[] entry;
  private final BooleanSupplier readsAreCurrent;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final CompletableFuture<State> outcome = new CompletableFuture<>();
  private final AtomicBoolean doubtful = new AtomicBoolean();
  private volatile boolean appended;
  private volatile long position;
  private volatile String reason = "";

  /**
   * Creates a proposal.
   *
   * @param term in which it was validated
   * @param entry as it is going to be in the log
   * @param readsAreCurrent called by the thread that appends, while the proposer waits
   */
  Proposal(long term, byte[] entry, BooleanSupplier readsAreCurrent) {
    this.term = term;
    this.entry = entry;
    this.readsAreCurrent = readsAreCurrent;
  }

  /** The term in which it was validated. */
  long term() {
    return term;
  }

  /**
   * Called when the entry gets its place in the log of this node. All entries before it have theirs
   * already, so they hold their locks or have changed the heap: what is current now is so at that
   * place. Otherwise the log gets an entry that does nothing. (It could be refused instead; but
   * each entry that a state machine refuses here costs the leader one of Ratis' permits for
   * requests, for good.)
   */
  synchronized void append() {
    if (state.get() != State.WAITING) {
      Entry.revoke(entry);
    } else if (!readsAreCurrent.getAsBoolean()) {
      Entry.revoke(entry);
      decide(State.OUTDATED);
    } else {
      appended = true;
    }
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
    end(State.COMMITTED);
  }

  /** Ends {@link #claim} when applying has failed, and the node with it. */
  void failed(Throwable t) {
    reason = t.toString();
    end(State.UNKNOWN);
  }

  /** Decides that no node will ever apply it. */
  void refuse(String why) {
    reason = why;
    decide(State.REFUSED);
  }

  /** Has the proposer give up after a time, unless the outcome is known by then. */
  void doubt(String why, long patienceNanos) {
    if (doubtful.compareAndSet(false, true)) {
      reason = why;
      Later.run(patienceNanos, this::giveUp);
    }
  }

  /**
   * Ends the wait. The proposer's reads are not looked at any more when this returns. What is not
   * in the log yet never does anything: {@link #append} revokes it.
   */
  private synchronized void giveUp() {
    decide(appended ? State.UNKNOWN : State.REFUSED);
  }

  private void decide(State decided) {
    if (state.compareAndSet(State.WAITING, decided)) {
      outcome.complete(decided);
    }
  }

  private void end(State decided) {
    state.set(decided);
    outcome.complete(decided);
  }

  /**
   * Waits for the outcome; neither an interrupt nor a lack of memory ends the wait.
   *
   * @return any state but {@link State#WAITING} and {@link State#APPLYING}
   */
  State await() {
    while (true) {
      try {
        return outcome.join();
      } catch (OutOfMemoryError e) { // of the wait: the entry may be on its way already
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
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
