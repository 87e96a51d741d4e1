package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreMetrics;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The transactions and snapshots of one store: who is in one, when new ones may begin, and when
 * those that run have ended. Owns the lock table and the open snapshots; {@link Attempts} runs the
 * bodies.
 *
 * <p>Safe for use by any number of threads, virtual ones included.
 */
public final class Transactions {
  private final Engine engine;
  private final LinkRules rules;
  private final LockTable locks = new LockTable();
  private final Snapshots snapshots;
  private final Durability durability;
  private final KnownTransactions known;
  private final Attempts attempts;
  private final TransactionCounts counts = new TransactionCounts();
  private final TransactionEvents events = new TransactionEvents();
  private volatile boolean closing;
  private volatile @Nullable Replica replica;

  private final ReentrantLock pauseLock = new ReentrantLock();
  private volatile boolean commitsPaused;

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
    this.snapshots = new Snapshots(engine, this::awaitCommits, this::withoutCommits);
    this.known =
        new KnownTransactions(() -> new Transaction(this, engine, locks, rules, snapshots));
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
          "a write inside a snapshot, which is for reading; write in a transaction outside of it");
    }
    return (Transaction) view;
  }

  /**
   * Returns true if the calling thread is in a transaction that can write.
   *
   * @return false outside, in a snapshot, and in one that only reads
   */
  public boolean isWritable() {
    return view() instanceof Transaction transaction && transaction.isWritable();
  }

  /**
   * Returns true if the calling thread is in a snapshot.
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
    return run(wanted, body, Attempts.Kind.BODY);
  }

  /**
   * Runs an operation of the store in the thread's transaction or snapshot, or in a new transaction
   * that the program has not asked for.
   *
   * @param body the reads and writes; may run more than once
   * @return what it returned
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T operation(
      TransactionFunction<T, X> body) throws X {
    return run(null, body, Attempts.Kind.OPERATION);
  }

  private <T extends @Nullable Object, X extends Exception> T run(
      @Nullable Durability wanted, TransactionFunction<T, X> body, Attempts.Kind kind) throws X {
    return switch (view()) {
      case null -> {
        if (kind == Attempts.Kind.BODY && replica != null) {
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
   * @return what the method returned
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
   * @return what it returned
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
   * Returns true if some thread may see an older state than the committed one.
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
    OpenSnapshot snapshot = snapshots.open(copiesSpace);
    if (closing) {
      snapshot.close();
      throw closed();
    }
    return snapshot;
  }

  /**
   * Returns what transactions use to count references.
   *
   * @return the rules of the store
   */
  public LinkRules rules() {
    return rules;
  }

  /**
   * Makes the store a replica, which changes only by records of another one. Waits until the
   * transactions that may write have ended; later ones only read. Called when no snapshot is open
   * and nothing else of the store writes, the collector, say.
   *
   * @return applies records; the same one each time
   */
  public Replica becomeReplica() {
    boolean known = replica != null;
    Replica made = replica();
    if (!known) {
      awaitWriters();
    }
    return made;
  }

  /**
   * Makes the store a replica without waiting for the transactions that may write: its engine
   * refuses their commits from now on. Otherwise like {@link #becomeReplica}.
   *
   * @return applies records; the same one each time
   */
  public Replica replica() {
    Replica known = replica;
    return known != null ? known : makeReplica();
  }

  private synchronized Replica makeReplica() {
    Replica known = replica;
    if (known != null) {
      return known;
    }
    if (view() != null) {
      throw new IllegalStateException(
          "a store cannot become a replica inside one of its transactions or snapshots; do it"
              + " outside");
    }
    if (engine.isReadOnly()) {
      engine.checkWritable();
    }
    Replica made = new Replica(this, engine, locks, snapshots);
    replica = made;
    return made;
  }

  /** Waits for the transactions that run now and may write. */
  private void awaitWriters() {
    for (Transaction transaction : known.all()) {
      await(() -> !transaction.isActive() || !transaction.isWritable());
    }
  }

  /**
   * Ends {@link #becomeReplica}: transactions may write again. Waits for those that began before it
   * and could write. Called when no record is being applied and none will be.
   */
  public void endReplica() {
    if (replica == null) {
      return;
    }
    awaitWriters(); // what they have reserved is not theirs any more
    synchronized (this) {
      rules.allocator().forget();
      replica = null;
    }
  }

  /** Returns what counts the transactions. */
  TransactionCounts counts() {
    return counts;
  }

  /** Returns what tells recordings of the transactions. */
  TransactionEvents events() {
    return events;
  }

  /**
   * Sets what recordings say about the store.
   *
   * @param store its directory
   * @param className returns the name of the class of the object at an address, or an empty text
   */
  public void recordAs(String store, LongFunction<String> className) {
    events.of(store, className);
  }

  /**
   * What transactions have done since the store was opened.
   *
   * @param transactions what ran
   * @param objectsMade objects that commits made
   * @param bytesMade the space that they took
   * @param recordBytes the size of the commits' records, without headers
   */
  public record Counted(
      StoreMetrics.Transactions transactions, long objectsMade, long bytesMade, long recordBytes) {}

  /** Returns what transactions have done since the store was opened. Waits for none of them. */
  public Counted counted() {
    long[] sums = counts.sums();
    int active = (int) known.all().stream().filter(View::isActive).count();
    return new Counted(
        new StoreMetrics.Transactions(
            sums[TransactionCounts.COMMITS],
            sums[TransactionCounts.READ_ONLY],
            sums[TransactionCounts.ROLLBACKS],
            sums[TransactionCounts.CONFLICTS],
            sums[TransactionCounts.ALONE_RUNS],
            active,
            snapshots.all().size(),
            sums[TransactionCounts.OBJECTS_WRITTEN],
            counts.latency()),
        sums[TransactionCounts.OBJECTS_MADE],
        sums[TransactionCounts.BYTES_MADE],
        sums[TransactionCounts.RECORD_BYTES]);
  }

  /** Returns true if every write is refused. */
  public boolean isReadOnly() {
    return replica != null || engine.isReadOnly();
  }

  /**
   * Throws if every write is refused.
   *
   * @throws StoreReadOnlyException if the store is a replica, or open for reading only
   */
  public void checkWritable() {
    engine.checkWritable();
    if (replica != null) {
      throw new StoreReadOnlyException(
          "this store is a replica, which changes only with the store whose records it applies;"
              + " write there");
    }
  }

  /**
   * Waits until all commits that are under way have ended.
   *
   * @return a position that none of them is above, 0 if there were none
   */
  public long awaitCommits() {
    Replica applying = replica;
    long newest = applying == null ? 0 : applying.awaitPosition();
    for (Transaction transaction : known.all()) {
      newest = Math.max(newest, transaction.awaitPosition());
    }
    return newest;
  }

  /**
   * Runs an action while no commit is under way. Transactions run on until they commit.
   *
   * @param action must not wait for a transaction
   */
  public void withoutCommits(Runnable action) {
    pauseLock.lock();
    try {
      commitsPaused = true;
      awaitCommits();
      action.run();
    } finally {
      commitsPaused = false;
      pauseLock.unlock();
    }
  }

  boolean areCommitsPaused() {
    return commitsPaused;
  }

  void awaitCommitsResumed() {
    passThrough(pauseLock);
  }

  private static void passThrough(ReentrantLock lock) {
    lock.lock();
    try {
      return; // waiting was all
    } finally {
      lock.unlock();
    }
  }

  /**
   * Remembers the transactions, consistent reads and snapshots that run now.
   *
   * @return a test that is true once each of them has ended or run again
   */
  public BooleanSupplier runningViews() {
    List<OpenSnapshot> open = snapshots.all();
    List<RunningView> running = new ArrayList<>();
    for (Transaction transaction : known.all()) {
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
   * Throws if the store is closed or closing.
   *
   * @throws StoreClosedException if the store is closed or closing
   */
  public void checkOpen() {
    if (closing) {
      throw closed();
    }
  }

  private static StoreClosedException closed() {
    return new StoreClosedException(
        "the store is closed; open it again, and read its objects from there");
  }

  /**
   * Runs a body in a transaction of its own, apart from the one that the thread may be in.
   *
   * @param body the reads and writes; may run more than once
   * @return what it returned
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
   * @return what it returned
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
   * Activates a transaction of the thread. One inside another may begin while the store closes,
   * because the close waits for the outer one.
   */
  private Transaction activate(ThreadSlot slot, boolean readOnly, boolean inside) {
    Transaction own = slot.usedLast();
    Transaction transaction =
        own != null && own.transactions() == this && !own.isActive() ? own : known.mine(slot);
    transaction.activate(readOnly);
    if (replica != null) {
      transaction.setReadOnly(); // it may have become one just now, without seeing this one active
    }
    if (closing && !inside) {
      transaction.deactivate();
      throw closed();
    }
    return transaction;
  }

  /**
   * Returns a version that changes when an object does, for reads outside transactions. Waits for a
   * commit that holds the object's lock.
   *
   * @param object the object's address
   * @return the version
   */
  public long version(long object) {
    return locks.awaitFree(LockTable.index(object));
  }

  /**
   * Returns true if an object has not changed, and no commit is changing it.
   *
   * @param object the object's address
   * @param version what {@link #version} returned before the reads
   * @return true if those reads are of one committed state
   */
  public boolean isUnchanged(long object, long version) {
    VarHandle.loadLoadFence();
    return locks.word(LockTable.index(object)) == version;
  }

  /**
   * Gives an object at least a version, before other threads can reach it in a new way.
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
          "a store cannot be closed inside one of its transactions or snapshots; close it outside");
    }
    closing = true;
    for (Transaction transaction : known.all()) {
      await(() -> !transaction.isActive());
    }
    await(() -> !isAnySnapshotOpen());
    attempts.close();
  }

  private static void await(BooleanSupplier condition) {
    Backoff backoff = new Backoff();
    while (!condition.getAsBoolean()) {
      backoff.pause();
    }
  }
}
