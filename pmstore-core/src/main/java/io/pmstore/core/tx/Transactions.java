package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.RolledBackException;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.space.Allocator;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
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

  private static final ThreadLocal<@Nullable Transaction> SLOT = new ThreadLocal<>();

  private final Engine engine;
  private final Allocator allocator;
  private final LockTable locks = new LockTable();
  private final Set<Transaction> all =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final @Nullable RelaxedSync relaxed;

  private final ReentrantLock aloneLock = new ReentrantLock();
  private volatile boolean alone;
  private volatile boolean closing;

  /**
   * Creates the transactions of a store.
   *
   * @param engine what commits
   * @param allocator what gives space to new objects
   * @param durability when a transaction is acknowledged
   */
  public Transactions(Engine engine, Allocator allocator, Durability durability) {
    this.engine = engine;
    this.allocator = allocator;
    this.relaxed = durability.isRelaxed() ? new RelaxedSync(engine, durability.bound()) : null;
  }

  /**
   * The transaction that the calling thread is in.
   *
   * @return the active transaction, or null
   * @throws IllegalStateException if it is one of another store
   */
  public @Nullable Transaction current() {
    Transaction transaction = SLOT.get();
    if (transaction == null || !transaction.isActive()) {
      return null;
    }
    if (transaction.transactions() != this) {
      throw new IllegalStateException(
          "one transaction cannot use two stores; finish the one of the first store before using"
              + " the second");
    }
    return transaction;
  }

  /**
   * Runs a body in the thread's transaction, or in a new one that is durable when this method
   * returns.
   *
   * @param body the reads and writes; may run more than once
   * @return what it returned
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T run(TransactionFunction<T, X> body)
      throws X {
    Transaction current = current();
    return current != null ? join(current, body) : start(body, false, false);
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
    return current() != null ? body.run() : start(body, true, false);
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
    Transaction outer = SLOT.get();
    SLOT.remove();
    try {
      return start(body, false, outer != null && outer.isActive());
    } finally {
      SLOT.set(outer);
    }
  }

  private <T extends @Nullable Object, X extends Exception> T join(
      Transaction transaction, TransactionFunction<T, X> body) throws X {
    try {
      return body.run();
    } catch (Throwable t) {
      transaction.setRollbackOnly(t);
      throw t;
    }
  }

  private <T extends @Nullable Object, X extends Exception> T start(
      TransactionFunction<T, X> body, boolean readOnly, boolean inside) throws X {
    Transaction transaction = activate(readOnly, inside);
    try {
      return runActive(transaction, body, readOnly);
    } finally {
      transaction.deactivate(); // behind the acknowledgement, for which a close has to wait
    }
  }

  private <T extends @Nullable Object, X extends Exception> T runActive(
      Transaction transaction, TransactionFunction<T, X> body, boolean readOnly) throws X {
    T result;
    long position;
    boolean runsAlone = false; // for its own sake; one around it may do so already
    try {
      int failures = 0;
      while (true) {
        try {
          awaitTurn();
          transaction.begin();
          result = body.run();
          failIfRollbackOnly(transaction);
          position = transaction.commit();
          break;
        } catch (TransactionConflict conflict) {
          transaction.rollback();
        } catch (Throwable t) {
          boolean stale = !(t instanceof VirtualMachineError) && !transaction.isCurrent();
          transaction.rollback();
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
      acknowledge(position);
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
    Transaction transaction = SLOT.get();
    if (transaction == null || transaction.transactions() != this) {
      transaction = new Transaction(this, engine, locks, allocator);
      all.add(transaction);
      SLOT.set(transaction);
    }
    transaction.activate(readOnly);
    if (closing && !inside) {
      transaction.deactivate();
      throw new StoreClosedException("the store is closed");
    }
    return transaction;
  }

  /**
   * Lets a transaction that runs alone finish; those that commit beside it do so at most once more.
   */
  private void awaitTurn() {
    if (alone && !aloneLock.isHeldByCurrentThread()) {
      aloneLock.lock();
      try {
        // Nothing to do but wait.
        return;
      } finally {
        aloneLock.unlock();
      }
    }
  }

  private void acknowledge(long position) {
    if (relaxed == null) {
      engine.sync(position);
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
   * Refuses new transactions and waits until those that run have ended.
   *
   * @throws IllegalStateException if called inside a transaction
   */
  public void close() {
    if (current() != null) {
      throw new IllegalStateException("a store cannot be closed inside one of its transactions");
    }
    closing = true;
    List<Transaction> running;
    synchronized (all) {
      running = new ArrayList<>(all);
    }
    for (Transaction transaction : running) {
      Backoff backoff = new Backoff();
      while (transaction.isActive()) {
        backoff.pause();
      }
    }
    if (relaxed != null) {
      relaxed.close();
    }
  }
}
