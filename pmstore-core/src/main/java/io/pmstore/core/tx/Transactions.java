package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The transactions and snapshots of one store: which one a thread is in, and when new ones may
 * begin. Owns the lock table, the commits under way and the open snapshots; {@link Attempts} runs
 * the bodies.
 *
 * <p>Safe for use by any number of threads, virtual ones included.
 */
public final class Transactions {
  private static final Durability ON_READ = Durability.relaxed(Duration.ofSeconds(1));

  private final Engine engine;
  private final LinkRules rules;
  private final LockTable locks;
  private final Commits commits;
  private final Snapshots snapshots;
  private final Durability durability;
  private final KnownTransactions known;
  private final Replica replica;
  private final Attempts attempts;
  private final TransactionCounts counts = new TransactionCounts();
  private final TransactionEvents events = new TransactionEvents();
  private final Admission admission = new Admission();

  /**
   * Creates the transactions of a store.
   *
   * @param engine commits write sets
   * @param rules of the store, with its allocator
   * @param durability when a transaction is acknowledged that does not say so itself
   */
  public Transactions(Engine engine, LinkRules rules, Durability durability) {
    this.engine = engine;
    this.rules = rules;
    this.durability = durability;
    this.locks = new LockTable(engine);
    this.commits = new Commits(engine);
    this.snapshots = new Snapshots(engine, commits);
    this.known =
        new KnownTransactions(() -> new Transaction(this, engine, locks, rules, snapshots));
    this.replica = new Replica(this, known, engine, locks, snapshots);
    this.attempts = new Attempts(engine, known);
  }

  /**
   * Returns the view of the calling thread.
   *
   * @return its transaction or its snapshot, or null
   * @throws IllegalStateException if that is one of another store
   */
  public @Nullable View view() {
    View view = ThreadSlot.mine().view();
    if (view != null && view.transactions() != this) {
      engine.checkUsable(); // else the object is one of a closed store, or of a replaced heap
      throw new IllegalStateException(
          "one transaction or snapshot cannot use two stores; end that of the first store before"
              + " using the second");
    }
    return view;
  }

  /**
   * Returns the transaction of the calling thread, for a write.
   *
   * @return the transaction, or null
   * @throws IllegalStateException in a snapshot, or if it is one of another store
   */
  public @Nullable Transaction current() {
    View view = view();
    if (view instanceof SnapshotView) {
      throw new IllegalStateException(
          "this write is inside a snapshot, which is read-only; write in a transaction outside of"
              + " the snapshot");
    }
    return (Transaction) view;
  }

  /**
   * Returns true if the calling thread is in a transaction that can write, which a snapshot and a
   * consistent read cannot.
   */
  public boolean isWritable() {
    return view() instanceof Transaction transaction && transaction.isWritable();
  }

  /** Does the same as {@link #isWritable}, and returns false in a view of another store. */
  public boolean isInWritable() {
    return ThreadSlot.mine().view() instanceof Transaction transaction
        && transaction.transactions() == this
        && transaction.isWritable();
  }

  /** Returns true if the calling thread is in a snapshot of this store. */
  public boolean inSnapshot() {
    return view() instanceof SnapshotView;
  }

  /**
   * Runs a body in the thread's transaction or snapshot, or in a new transaction.
   *
   * @param wanted when a transaction is acknowledged; null if this body does not say. One inside
   *     another makes the other's stronger, never weaker
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T run(
      @Nullable Durability wanted, TransactionFunction<T, X> body) throws X {
    return run(wanted, body, Attempts.Kind.BODY);
  }

  /**
   * Runs an operation of the store in the thread's transaction or snapshot, or in a new transaction
   * that the program has not asked for.
   *
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T operation(
      TransactionFunction<T, X> body) throws X {
    return run(null, body, Attempts.Kind.OPERATION);
  }

  /**
   * Runs an operation that a read needs, in the thread's transaction or in a new one. The new one
   * waits for nothing to become durable, as reads outside transactions do; it becomes durable in
   * the background.
   *
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T operationOfRead(
      TransactionFunction<T, X> body) throws X {
    Durability onRead = durability.isRelaxed() ? durability : ON_READ;
    return view() == null ? start(body, onRead, Attempts.Kind.OPERATION, false) : operation(body);
  }

  private <T extends @Nullable Object, X extends Exception> T run(
      @Nullable Durability wanted, TransactionFunction<T, X> body, Attempts.Kind kind) throws X {
    return switch (view()) {
      case null -> {
        if (kind == Attempts.Kind.BODY && replica.isFollowing()) {
          engine.checkCurrent(); // before the body runs in vain
        }
        yield start(body, wanted == null ? durability : wanted, kind, false);
      }
      case SnapshotView snapshot -> body.run();
      case Transaction transaction -> join(transaction, wanted, body);
    };
  }

  /**
   * Runs a method of an object in a new transaction. If the method has written nothing this waits
   * for nothing to become durable, as reads outside transactions do.
   *
   * @param body the method; may run more than once
   * @param wrote called before a commit that changes something; what it throws rolls back
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T method(
      TransactionFunction<T, X> body, Runnable wrote) throws X {
    return start(
        () -> {
          T result = body.run();
          Transaction transaction = current();
          if (transaction != null) {
            transaction.complete();
            if (transaction.hasWritten()) {
              wrote.run();
            }
          }
          return result;
        },
        durability,
        Attempts.Kind.METHOD,
        false);
  }

  /**
   * Runs reads in the thread's transaction, or in a new one that sees one state of the store and
   * waits for nothing to become durable.
   *
   * @param body the reads; may run more than once
   * @throws X what it threw
   */
  public <T extends @Nullable Object, X extends Exception> T read(TransactionFunction<T, X> body)
      throws X {
    return view() != null ? body.run() : start(body, durability, Attempts.Kind.READS, false);
  }

  /**
   * Runs a body that reads one state of the store, however long it takes.
   *
   * @param body the reads; runs once
   * @return what it returned, when what it saw is durable under the store's durability
   * @throws X what it threw
   * @throws IllegalStateException inside a transaction
   */
  public <T extends @Nullable Object, X extends Exception> T snapshot(
      TransactionFunction<T, X> body) throws X {
    View outer = view();
    if (outer instanceof SnapshotView) {
      return body.run();
    }
    if (outer != null) {
      throw new IllegalStateException(
          "a snapshot inside a transaction would not show what the transaction wrote; read in the"
              + " transaction itself, or open the snapshot outside of it");
    }
    try (OpenSnapshot open = openSnapshot(false)) {
      SnapshotView view = viewOf(open);
      T result = runIn(view, body);
      attempts.acknowledge(view.newestSeen(), durability);
      return result;
    }
  }

  /**
   * Makes all durable that was committed before the call.
   *
   * @throws IllegalStateException inside a transaction, whose writes are not committed yet
   */
  public void sync() {
    if (view() instanceof Transaction) {
      throw new IllegalStateException(
          "sync inside a transaction would not make its writes durable, because they are committed"
              + " when it ends; call sync after that");
    }
    this.<@Nullable Void, RuntimeException>readIndependently( // closing the store waits for its end
        () -> {
          attempts.sync();
          return null;
        });
  }

  /** Returns the open snapshots. */
  public Snapshots snapshots() {
    return snapshots;
  }

  SnapshotView viewOf(OpenSnapshot snapshot) {
    return new SnapshotView(this, engine.memory(), locks, snapshot);
  }

  private static <T extends @Nullable Object, X extends Exception> T runIn(
      SnapshotView view, TransactionFunction<T, X> body) throws X {
    ThreadSlot slot = ThreadSlot.mine();
    View before = slot.view();
    boolean completed = false;
    view.activate();
    slot.setView(view);
    try {
      T result = body.run();
      completed = true;
      return result;
    } finally {
      slot.setView(before);
      view.deactivate();
      view.tell(completed);
    }
  }

  /**
   * Opens a snapshot that belongs to no thread and also shows the space of objects that nothing
   * reaches. Closing the store waits until the snapshot is closed.
   *
   * @return a snapshot of the current state
   * @throws StoreClosedException if the store is closed, or about to be
   */
  public OpenSnapshot openSnapshot() {
    return openSnapshot(true);
  }

  private OpenSnapshot openSnapshot(boolean copiesSpace) {
    StackRoom.require();
    while (true) {
      OpenSnapshot snapshot = snapshots.open(copiesSpace);
      if (admission.isOpen()) {
        return snapshot;
      }
      snapshot.close();
      awaitAdmission();
    }
  }

  /** Returns what transactions use to count references. */
  public LinkRules rules() {
    return rules;
  }

  /** Returns the locks of the store's objects. */
  public LockTable locks() {
    return locks;
  }

  /** Returns the commits under way. */
  public Commits commits() {
    return commits;
  }

  /** Returns what makes the store a replica, and applies the records of another one. */
  public Replica replica() {
    return replica;
  }

  TransactionCounts counts() {
    return counts;
  }

  /** Returns what tells recordings of the transactions. */
  public TransactionEvents events() {
    return events;
  }

  /** Returns what transactions have done since the store was opened. Waits for none of them. */
  public TransactionCounts.Counted counted() {
    return counts.counted(known.active(), snapshots.all().size());
  }

  /** Returns true if every write is refused. */
  public boolean isReadOnly() {
    return replica.isFollowing() || engine.isReadOnly();
  }

  /**
   * Throws if every write is refused.
   *
   * @throws StoreReadOnlyException if the store is a replica, or open for reading only
   */
  public void checkWritable() {
    engine.checkWritable();
    if (replica.isFollowing()) {
      throw new StoreReadOnlyException(
          "this store is a replica, which changes only with the store whose records it applies;"
              + " write there");
    }
  }

  /**
   * Remembers the transactions, consistent reads and snapshots that run now. Returns a test that is
   * true once each of them has ended or run again.
   */
  public BooleanSupplier runningViews() {
    List<OpenSnapshot> open = snapshots.all();
    BooleanSupplier ended = known.running();
    return () -> ended.getAsBoolean() && snapshots.all().stream().noneMatch(open::contains);
  }

  /** Throws {@link StoreClosedException} if the store is closed or closing. */
  public void checkOpen() {
    if (admission.isClosed()) {
      throw closed();
    }
  }

  private static StoreClosedException closed() {
    return new StoreClosedException(
        "the store is closed; open it again, and read its objects from there");
  }

  /** Returns what lets new transactions and snapshots begin, or holds them back. */
  public Admission admission() {
    return admission;
  }

  /**
   * Waits until a new transaction or snapshot may begin.
   *
   * @throws StoreClosedException if none may any more
   */
  private void awaitAdmission() {
    admission.await();
    if (admission.isClosed()) {
      engine.checkUsable(); // says more of the reason, if the engine is closed too
      throw closed();
    }
  }

  /**
   * Holds new transactions and snapshots back, and waits for those that run. If these do not end in
   * time, the method lets the others begin, and waits on for the ones that have run too long. Those
   * may be waiting for another thread that was held back.
   *
   * @param nanos how long to hold the new ones back meanwhile
   * @return true if none runs, and new ones wait for {@link Admission#release}; false if nothing is
   *     held back. The caller may try again: what ran too long has ended
   * @throws StoreClosedException if the store is closed meanwhile, or the thread is interrupted
   * @throws IllegalStateException if called inside a transaction or snapshot
   */
  public boolean holdBack(long nanos) {
    checkOutside("calls of a store cannot be held back");
    BooleanSupplier tooLong;
    boolean isHeld = false;
    admission.hold();
    try {
      boolean ended = await(() -> !snapshots.isAnyInUse() && known.active() == 0, nanos);
      tooLong = runningViews();
      isHeld = ended;
    } finally {
      if (!isHeld) {
        admission.release();
      }
    }
    if (!isHeld) {
      var _ = await(tooLong, Long.MAX_VALUE);
    }
    return isHeld;
  }

  /** Waits for a condition; returns false if it does not hold when the time is over. */
  private boolean await(BooleanSupplier condition, long nanos) {
    long begin = System.nanoTime();
    Backoff backoff = new Backoff();
    while (!condition.getAsBoolean()) {
      checkOpen();
      if (Thread.currentThread().isInterrupted()) {
        throw new StoreClosedException("interrupted while calls of the store ran; try again");
      }
      if (System.nanoTime() - begin >= nanos) {
        return false;
      }
      backoff.pause();
    }
    return true;
  }

  /**
   * Runs a body in a transaction of its own, apart from the one that the thread may be in.
   *
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T runIndependently(
      TransactionFunction<T, X> body) throws X {
    return startIndependently(body, Attempts.Kind.OPERATION);
  }

  /**
   * Runs reads in a transaction of their own, apart from the one that the thread may be in. The
   * reads do not see what that one wrote, and wait for nothing to become durable.
   *
   * @param body the reads; may run more than once
   * @throws X what it threw
   */
  public <T extends @Nullable Object, X extends Exception> T readIndependently(
      TransactionFunction<T, X> body) throws X {
    return startIndependently(body, Attempts.Kind.READS);
  }

  private <T extends @Nullable Object, X extends Exception> T startIndependently(
      TransactionFunction<T, X> body, Attempts.Kind kind) throws X {
    ThreadSlot slot = ThreadSlot.mine();
    View outer = slot.view();
    slot.setView(null);
    try {
      return start(body, durability, kind, outer != null);
    } finally {
      slot.setView(outer);
    }
  }

  private <T extends @Nullable Object, X extends Exception> T join(
      Transaction transaction, @Nullable Durability wanted, TransactionFunction<T, X> body)
      throws X {
    if (wanted != null) {
      transaction.require(wanted);
    }
    try {
      return body.run();
    } catch (Throwable t) {
      transaction.setRollbackOnly(t);
      throw t;
    }
  }

  private <T extends @Nullable Object, X extends Exception> T start(
      TransactionFunction<T, X> body, Durability wanted, Attempts.Kind kind, boolean inside)
      throws X {
    StackRoom.require();
    ThreadSlot slot = ThreadSlot.mine();
    Transaction transaction = activate(slot, kind == Attempts.Kind.READS, inside);
    slot.setView(transaction);
    try {
      return attempts.run(transaction, body, wanted, kind);
    } finally {
      slot.setView(null);
      transaction.deactivate(); // after the acknowledgement, which a close waits for
    }
  }

  /**
   * Activates a transaction of the thread. One inside another may begin while the store closes, or
   * holds others back, because that waits for the outer one.
   */
  private Transaction activate(ThreadSlot slot, boolean readOnly, boolean inside) {
    Transaction own = slot.usedLast();
    Transaction transaction =
        own != null && own.transactions() == this && !own.isActive() ? own : known.mine(slot);
    transaction.activate(readOnly);
    if (replica.isFollowing()) {
      transaction.setReadOnly(); // it may have become one just now, without seeing this one active
    }
    if (!admission.isOpen() && !inside) {
      transaction.deactivate();
      awaitAdmission();
      return activate(slot, readOnly, false);
    }
    return transaction;
  }

  /**
   * Waits, for some seconds at most, until the transactions that run again after a conflict have
   * ended. The store calls it before work that can wait. Does nothing inside a transaction or
   * snapshot.
   */
  public void awaitRepeats() {
    if (view() == null) {
      attempts.awaitRepeats();
    }
  }

  private void checkOutside(String what) {
    if (view() != null) {
      throw new IllegalStateException(
          what + " inside one of its transactions or snapshots; do it outside");
    }
  }

  /**
   * Refuses new transactions and snapshots and waits until those that run have ended.
   *
   * @throws IllegalStateException if called inside one
   */
  public void close() {
    checkOutside("a store cannot be closed");
    admission.close();
    known.awaitEnd(transaction -> true);
    Backoff.until(() -> !snapshots.isAnyInUse());
    attempts.close();
  }
}
