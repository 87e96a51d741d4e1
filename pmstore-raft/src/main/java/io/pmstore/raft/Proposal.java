package io.pmstore.raft;

import io.pmstore.core.engine.OutdatedReadsException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An entry that this node proposes to the other nodes, until this node knows the outcome. It has
 * the changes of one transaction or of several ({@link Share}), and one outcome for all, except
 * that an earlier entry may change what one of them has read.
 *
 * <pre>
 *   WAITING ---> APPLYING ---> COMMITTED     the state machine has it: it will be, or is, in the heap
 *      |\------> OUTDATED                    earlier entries change what all have read; does nothing
 *      |\------> REFUSED                     no node will ever apply it
 *       \------> UNKNOWN                     the proposers have stopped waiting; it may be applied or not
 * </pre>
 *
 * <p>The threads of the transactions wait, and stop waiting after a time. Other threads decide the
 * outcome. Thread-safe, except that its owner calls {@link #join} and {@link #seal} one after the
 * other.
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

  /** The changes of one transaction. */
  static final class Share {
    private final byte[] record;
    private final BooleanSupplier readsAreCurrent;
    private @Nullable Proposal in; // set before it joins
    private volatile boolean outdated;
    private boolean withdrawn; // guarded by the proposal

    /**
     * Creates the share of a transaction.
     *
     * @param record its write set
     * @param readsAreCurrent called by the thread that appends, while the transaction waits
     */
    Share(byte[] record, BooleanSupplier readsAreCurrent) {
      this.record = record;
      this.readsAreCurrent = readsAreCurrent;
    }

    /**
     * Takes the changes back, because their transaction cannot wait for its outcome.
     *
     * @return false if they may happen, or have happened, all the same
     */
    boolean withdraw() {
      return in == null || in.withdraw(this);
    }
  }

  /** Why a proposal of an earlier term is refused. */
  static final String TOO_LATE = "another node led before it was in the log";

  private final long kind;
  private final long number;
  private final long term;
  private final UUID cluster;
  private final Consumer<Proposal> ended;
  private final List<Share> shares = new ArrayList<>();
  private long size; // of the shares in the entry, in bytes
  private byte @Nullable [] entry; // once it is sealed
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final CompletableFuture<State> outcome = new CompletableFuture<>();
  private final AtomicBoolean doubtful = new AtomicBoolean();
  private volatile boolean appended;
  private volatile long position;
  private volatile String reason = "";

  /**
   * Creates a proposal without changes.
   *
   * @param kind of the entry
   * @param number of the entry
   * @param term in which the transactions were validated
   * @param cluster whose log it is for
   * @param ended called once, when the outcome is known
   */
  Proposal(long kind, long number, long term, UUID cluster, Consumer<Proposal> ended) {
    this.kind = kind;
    this.number = number;
    this.term = term;
    this.cluster = cluster;
    this.ended = ended;
  }

  long number() {
    return number;
  }

  /** The term in which its transactions were validated. */
  long term() {
    return term;
  }

  /**
   * Adds the changes of a transaction, if the entry can have them too.
   *
   * @param other the kind of entry that they need
   * @param validated the term in which the transaction was validated
   * @return false if it cannot
   */
  boolean join(Share share, long other, long validated) {
    long more = (long) Entry.RECORD_HEADER + share.record.length;
    boolean hasRoom = shares.isEmpty() || size + more <= RatisServer.RECORD_MAX;
    if (other != kind || validated != term || !hasRoom) {
      return false;
    }
    share.in = this;
    shares.add(share);
    size += more;
    return true;
  }

  /** Makes the entry, as it is going to be in the log. No transaction joins from now on. */
  byte[] seal(long maker) {
    List<byte[]> records = shares.stream().map(share -> share.record).toList();
    byte[] sealed = Entry.encode(kind, term, maker, number, cluster, records);
    entry = sealed;
    return sealed;
  }

  /**
   * Called when the entry gets its place in the log of this node. All entries before it have theirs
   * already, so they hold their locks or have changed the heap: what is current now is so at that
   * place. The entry then does nothing for transactions whose reads are not current. (It could be
   * refused instead; but each entry that a state machine refuses here costs the leader one of
   * Ratis' permits for requests, for good.)
   */
  synchronized void append() {
    byte[] sealed = entry;
    if (sealed == null) {
      throw new IllegalStateException("the entry " + number + " was not made yet");
    }
    if (state.get() != State.WAITING) {
      Entry.revoke(sealed);
      return;
    }
    boolean isAnyCurrent = false;
    for (int i = 0; i < shares.size(); i++) {
      Share share = shares.get(i);
      if (!share.withdrawn && share.readsAreCurrent.getAsBoolean()) {
        isAnyCurrent = true;
      } else {
        share.outdated = true;
        Entry.revoke(sealed, i);
      }
    }
    if (isAnyCurrent) {
      appended = true;
    } else {
      Entry.revoke(sealed);
      decide(State.OUTDATED);
    }
  }

  boolean isAppended() {
    return appended;
  }

  private synchronized boolean withdraw(Share share) {
    State now = state.get();
    share.withdrawn |= now == State.WAITING && !appended;
    return share.withdrawn || share.outdated || now == State.REFUSED || now == State.OUTDATED;
  }

  /** Takes the proposal for applying; false if its proposers have given up. */
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
    try {
      reason = t.toString();
    } finally { // without memory for the text too
      end(State.UNKNOWN);
    }
  }

  /** Decides that no node will ever apply it. */
  void refuse(String why) {
    reason = why;
    decide(State.REFUSED);
  }

  /** The proposers give up after a time, unless they know the outcome by then. */
  void doubt(String why, long patienceNanos) {
    if (doubtful.compareAndSet(false, true)) {
      reason = why;
      try {
        Later.run(patienceNanos, this::giveUp);
      } catch (OutOfMemoryError e) { // nothing else would end the wait
        giveUp();
      }
    }
  }

  /**
   * Ends the wait. The proposers' reads are not looked at any more when this returns. What is not
   * in the log yet never does anything: {@link #append} revokes it.
   */
  synchronized void giveUp() {
    decide(appended ? State.UNKNOWN : State.REFUSED);
  }

  private void decide(State decided) {
    if (state.compareAndSet(State.WAITING, decided)) {
      complete(decided);
    }
  }

  private void end(State decided) {
    state.set(decided);
    complete(decided);
  }

  private void complete(State decided) {
    if (outcome.complete(decided)) {
      ended.accept(this);
    }
  }

  /**
   * Waits for the outcome of one transaction; neither an interrupt nor a lack of memory ends the
   * wait.
   *
   * @return any state but {@link State#WAITING} and {@link State#APPLYING}
   * @throws OutdatedReadsException if an earlier entry changes what it has read
   */
  State await(Share share) {
    while (true) {
      try {
        State decided = outcome.join();
        if (share.outdated) {
          throw new OutdatedReadsException();
        }
        return decided;
      } catch (OutOfMemoryError e) { // of the wait: the entry may be on its way already
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  boolean isCommitted() {
    return state.get() == State.COMMITTED;
  }

  long position() {
    return position;
  }

  String reason() {
    return reason;
  }
}
