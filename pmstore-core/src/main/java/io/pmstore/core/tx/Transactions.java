package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.RolledBackException;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.MappedFiles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions: again after a conflict, alone after several, and acknowledged when they are
 * durable.
 *
 * <p>Safe for use by any number of threads, virtual ones included.
 */
public final class Transactions {
  /** After so many failed attempts a transaction runs alone, so that it cannot starve. */
  static final int ATTEMPTS_TOGETHER = 8;

  private static final ThreadLocal<@Nullable View> SLOT = new ThreadLocal<>();

  private final Engine engine;
  private final LinkRules rules;
  private final LockTable locks = new LockTable();
  private final Set<Transaction> all =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final Snapshots snapshots;
  private final Durability durability;
  private final RelaxedSync relaxed;

  private final ReentrantLock aloneLock = new ReentrantLock();
  private volatile boolean alone;
  private volatile boolean closing;

  private final ReentrantLock holdLock = new ReentrantLock();
  private volatile boolean commitsHeld;

  /**
   * Creates the transactions of a store.
   *
   * @param engine what commits
   * @param rules of the store, with what gives space to new objects
   * @param durability when a transaction is acknowledged that does not say so itself
   */
  public Transactions(Engine engine, LinkRules rules, Durability durability) {
    this.engine = engine;
    this.rules = rules;
    this.durability = durability;
    this.relaxed = new RelaxedSync(engine);
    this.snapshots = new Snapshots(engine, this::awaitCommits);
  }

  /**
   * What the calling thread is in the middle of.
   *
   * @return its transaction or its snapshot, or null
   * @throws IllegalStateException if that is one of another store
   */
  public @Nullable View view() {
    View view = SLOT.get();
    if (view == null || !view.isActive()) {
      return null;
    }
    if (view.transactions() != this) {
      throw new IllegalStateException(
          "one transaction cannot use two stores; finish the one of the first store before using"
              + " the second");
    }
    return view;
  }

  /**
   * The transaction that the calling thread is in and may write with.
   *
   * @return the transaction, or null
   * @throws IllegalStateException in a snapshot, or if it is one of another store
   */
  public @Nullable Transaction current() {
    View view = view();
    if (view instanceof SnapshotView) {
      throw new IllegalStateException(
          "a write inside a snapshot, which is for reading; write in a transaction outside of it");
    }
    return (Transaction) view;
  }

  /**
   * Says whether the calling thread is in a transaction that can write.
   *
   * @return false outside, in a snapshot, and in one that only reads
   */
  public boolean isWritable() {
    return view() instanceof Transaction transaction && transaction.isWritable();
  }

  /**
   * Says whether the calling thread is in a snapshot.
   *
   * @return true in one of this store
   */
  public boolean inSnapshot() {
    return view() instanceof SnapshotView;
  }

  /**
   * Runs a body in the thread's transaction or snapshot, or in a new transaction.
   *
   * @param wanted when a transaction is acknowledged; null if this body does not say. One inside
   *     another makes the other's stronger, never weaker
   * @param body the reads and writes; may run more than once
   * @return what it returned
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T run(
      @Nullable Durability wanted, TransactionFunction<T, X> body) throws X {
    return switch (view()) {
      case null -> start(body, wanted == null ? durability : wanted, false, false);
      case SnapshotView snapshot -> body.run();
      case Transaction transaction -> join(transaction, wanted, body);
    };
  }

  /**
   * Runs reads in the thread's transaction, or in a new one that sees one state of the store and
   * waits for nothing to become durable.
   *
   * @param body the reads; may run more than once
   * @return what it returned
   * @throws X what it threw
   */
  public <T extends @Nullable Object, X extends Exception> T read(TransactionFunction<T, X> body)
      throws X {
    return view() != null ? body.run() : start(body, durability, true, false);
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
      acknowledge(view.newestSeen(), durability);
      return result;
    }
  }

  /**
   * Says whether anybody sees an older state than the one that is committed.
   *
   * @return true while a snapshot is open
   */
  public boolean isAnySnapshotOpen() {
    return snapshots.isAnyOpen();
  }

  SnapshotView viewOf(OpenSnapshot snapshot) {
    return new SnapshotView(this, engine.memory(), locks, snapshot);
  }

  private static <T extends @Nullable Object, X extends Exception> T runIn(
      SnapshotView view, TransactionFunction<T, X> body) throws X {
    View before = SLOT.get();
    boolean completed = false;
    view.setActive(true);
    SLOT.set(view);
    try {
      T result = body.run();
      completed = true;
      return result;
    } finally {
      SLOT.set(before);
      view.setActive(false);
      view.tell(completed);
    }
  }

  /**
   * Opens a snapshot that belongs to no thread, and shows the space of what nothing reaches too.
   * The store is closed only when it is.
   *
   * @return the state that is current now
   * @throws StoreClosedException if the store is closed, or about to be
   */
  public OpenSnapshot openSnapshot() {
    return openSnapshot(true);
  }

  private OpenSnapshot openSnapshot(boolean copiesSpace) {
    OpenSnapshot snapshot = snapshots.open(copiesSpace);
    if (closing) {
      snapshot.close();
      throw closed();
    }
    return snapshot;
  }

  /**
   * What the transactions count references by.
   *
   * @return the rules of the store
   */
  public LinkRules rules() {
    return rules;
  }

  /** Waits until all commits that are under way have ended. */
  public void awaitCommits() {
    for (Transaction transaction : known()) {
      transaction.awaitCommit();
    }
  }

  /**
   * Has something done while no commit is under way, or begins. Transactions run until they commit.
   *
   * @param action what is done; it must not wait for a transaction
   */
  public void withoutCommits(Runnable action) {
    holdLock.lock();
    try {
      commitsHeld = true;
      awaitCommits();
      action.run();
    } finally {
      commitsHeld = false;
      holdLock.unlock();
    }
  }

  boolean areCommitsHeld() {
    return commitsHeld;
  }

  void awaitCommitsAllowed() {
    passThrough(holdLock);
  }

  private static void passThrough(ReentrantLock lock) {
    lock.lock();
    try {
      // Nothing to do but wait.
      return;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes the transactions, consistent reads and snapshots that run now.
   *
   * @return says whether each of them has ended, or begun again
   */
  public BooleanSupplier runningViews() {
    List<OpenSnapshot> open = snapshots.all();
    List<RunningView> running = new ArrayList<>();
    for (Transaction transaction : known()) {
      long run = transaction.run();
      if (transaction.isActive()) {
        running.add(new RunningView(transaction, run));
      }
    }
    return () -> {
      running.removeIf(RunningView::hasEnded);
      return running.isEmpty() && snapshots.all().stream().noneMatch(open::contains);
    };
  }

  private record RunningView(View view, long run) {
    boolean hasEnded() {
      return !view.isActive() || view.run() != run;
    }
  }

  /**
   * Says, by returning, that nobody wants the store closed.
   *
   * @throws StoreClosedException if it is closed, or about to be
   */
  public void checkOpen() {
    if (closing) {
      throw closed();
    }
  }

  private static StoreClosedException closed() {
    return new StoreClosedException("the store is closed");
  }

  /**
   * Runs a body in a transaction of its own, whatever becomes of the one that the thread may be in.
   *
   * @param body the reads and writes; may run more than once
   * @return what it returned
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T runIndependently(
      TransactionFunction<T, X> body) throws X {
    View outer = SLOT.get();
    SLOT.remove();
    try {
      return start(body, durability, false, outer != null && outer.isActive());
    } finally {
      SLOT.set(outer);
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
      TransactionFunction<T, X> body, Durability wanted, boolean readOnly, boolean inside)
      throws X {
    Transaction transaction = activate(readOnly, inside);
    try {
      return runActive(transaction, body, wanted, readOnly);
    } finally {
      transaction.setActive(false); // behind the acknowledgement, for which a close has to wait
    }
  }

  private <T extends @Nullable Object, X extends Exception> T runActive(
      Transaction transaction, TransactionFunction<T, X> body, Durability wanted, boolean readOnly)
      throws X {
    T result;
    long position;
    boolean runsAlone = false; // for its own sake; one around it may do so already
    try {
      int failures = 0;
      while (true) {
        try {
          awaitTurn();
          transaction.begin(wanted);
          result = body.run();
          failIfRollbackOnly(transaction);
          position = transaction.commit();
          break;
        } catch (TransactionConflict conflict) {
          transaction.rollback();
        } catch (Throwable t) {
          boolean stale = !(t instanceof VirtualMachineError) && !transaction.isCurrent();
          transaction.rollback();
          if (t instanceof InternalError fault && MappedFiles.isFault(fault)) {
            throw engine.fail(fault); // it came later than the read that met it
          }
          if (!stale) {
            throw t;
          }
        }
        if (++failures == ATTEMPTS_TOGETHER) {
          aloneLock.lock();
          runsAlone = true;
          alone = true;
        }
      }
    } finally {
      if (runsAlone) {
        alone = aloneLock.getHoldCount() > 1;
        aloneLock.unlock();
      }
    }
    if (!readOnly) {
      acknowledge(position, transaction.durability());
    }
    return result;
  }

  private static void failIfRollbackOnly(Transaction transaction) {
    Throwable cause = transaction.rollbackCause();
    if (cause != null) {
      throw new RolledBackException(
          "the transaction was rolled back because an exception left a transaction inside it: "
              + cause,
          cause);
    }
  }

  /**
   * Makes the thread's transaction active; one inside another is let through while the store waits
   * for the outer.
   */
  private Transaction activate(boolean readOnly, boolean inside) {
    Transaction transaction =
        SLOT.get() instanceof Transaction own && own.transactions() == this ? own : null;
    if (transaction == null) {
      transaction = new Transaction(this, engine, locks, rules, snapshots);
      all.add(transaction);
      SLOT.set(transaction);
    }
    transaction.activate(readOnly);
    if (closing && !inside) {
      transaction.setActive(false);
      throw closed();
    }
    return transaction;
  }

  /**
   * Lets a transaction that runs alone finish; those that commit beside it do so at most once more.
   */
  private void awaitTurn() {
    if (alone && !aloneLock.isHeldByCurrentThread()) {
      passThrough(aloneLock);
    }
  }

  private void acknowledge(long position, Durability wanted) {
    if (wanted.isRelaxed()) {
      relaxed.acknowledged(position, wanted.bound());
    } else {
      engine.sync(position);
      relaxed.synced(position);
    }
  }

  /**
   * A version that changes when an object does, for reads outside transactions.
   *
   * @param object the object's address
   * @return the version, waiting for a commit that is under way
   */
  public long version(long object) {
    return locks.awaitFree(LockTable.index(object));
  }

  /**
   * Says whether an object has changed, or is about to.
   *
   * @param object the object's address
   * @param version what {@link #version} returned before the reads in question
   * @return true if those reads are of one committed state
   */
  public boolean isUnchanged(long object, long version) {
    VarHandle.loadLoadFence();
    return locks.word(LockTable.index(object)) == version;
  }

  /**
   * Gives an object at least a version, for one that is about to be reached in a new way.
   *
   * @param object the object's address
   * @param version what {@link #version} returned of an object that was changed by a commit which
   *     changed or made this one too
   */
  public void raise(long object, long version) {
    locks.raise(LockTable.index(object), LockTable.version(version));
  }

  /**
   * Refuses new transactions and snapshots and waits until those that run have ended.
   *
   * @throws IllegalStateException if called inside one
   */
  public void close() {
    if (view() != null) {
      throw new IllegalStateException(
          "a store cannot be closed inside one of its transactions or snapshots");
    }
    closing = true;
    for (Transaction transaction : known()) {
      await(() -> !transaction.isActive());
    }
    await(() -> !isAnySnapshotOpen());
    relaxed.close();
  }

  private static void await(BooleanSupplier condition) {
    Backoff backoff = new Backoff();
    while (!condition.getAsBoolean()) {
      backoff.pause();
    }
  }

  private List<Transaction> known() {
    synchronized (all) {
      return new ArrayList<>(all);
    }
  }
}
