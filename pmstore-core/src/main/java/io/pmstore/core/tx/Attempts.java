package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.RolledBackException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.events.TransactionEvent;
import io.pmstore.core.events.TransactionEvent.Outcome;
import io.pmstore.core.memory.MappedFiles;
import org.jspecify.annotations.Nullable;

/**
 * Runs the bodies of a store's transactions: again after a conflict, and alone after several. A
 * transaction is acknowledged as its {@link Durability} says. Owns the turn and the sync of relaxed
 * transactions.
 *
 * <p>Safe for use by any number of threads, virtual ones included.
 */
final class Attempts {
  /** A transaction runs alone after so many failed attempts, so that it cannot starve. */
  static final int ATTEMPTS_TOGETHER = 8;

  /** What a transaction is for, which decides whether it waits until it is durable. */
  enum Kind {
    BODY, // a transaction that the program began
    OPERATION, // one operation of the store that writes
    METHOD, // a method of a persistent object
    READS;

    boolean waits(boolean written) {
      return this == BODY || this == OPERATION || (this == METHOD && written);
    }
  }

  private final Engine engine;
  private final RelaxedSync relaxed;
  private final Turn turn = new Turn(System::nanoTime);
  private final HelperWrites helpers;
  private final Repeats repeats = new Repeats(System::nanoTime);

  Attempts(Engine engine, KnownTransactions known) {
    this.engine = engine;
    this.relaxed = new RelaxedSync(engine);
    this.helpers = new HelperWrites(known::all);
  }

  /**
   * Runs a body until an attempt commits, and acknowledges that.
   *
   * @param transaction active, and the view of the calling thread
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  <T extends @Nullable Object, X extends Exception> T run(
      Transaction transaction, TransactionFunction<T, X> body, Durability wanted, Kind kind)
      throws X {
    T result;
    boolean waits;
    boolean written;
    long position;
    long leadership = engine.leadership();
    boolean runsAlone = false; // has a turn of its own; an outer one may have one already
    TransactionCounts.Cell counts = transaction.counts();
    long began = kind == Kind.READS ? 0 : counts.begin();
    TransactionEvent event = began == 0 ? null : Recorder.transaction();
    int failures = 0;
    @Nullable Object repeat = null;
    try {
      int earlyEnds = 0;
      while (true) {
        try {
          turn.await();
          transaction.begin(wanted);
          result = body.run();
          transaction.suspicion().failIfRefused();
          failIfRollbackOnly(transaction);
          transaction.complete();
          written = transaction.hasWritten();
          waits = kind.waits(written);
          if (kind != Kind.READS && written) {
            if (helpers.needsSecondRun(transaction)) {
              throw TransactionConflict.INSTANCE;
            }
            helpers.look(transaction, kind == Kind.BODY);
          }
          position = transaction.commit();
          break;
        } catch (TransactionConflict conflict) {
          transaction.rollback();
        } catch (Throwable t) {
          boolean stale =
              !(t instanceof VirtualMachineError)
                  && !(t instanceof StoreFailedException)
                  && !(t instanceof OutcomeUnknownException) // the body may have had its effect
                  && !(t instanceof NotLeaderException)
                  && !transaction.suspicion().hasRefused()
                  && !transaction.isCurrent();
          transaction.rollback();
          if (t instanceof InternalError fault && MappedFiles.isFault(fault)) {
            throw engine.fail(fault); // it came later than the read that caused it
          }
          if (!stale) {
            counts.add(TransactionCounts.ROLLBACKS, 1);
            counts.endedWithoutCommit();
            transaction.record(event, Outcome.ROLLED_BACK, failures, 0);
            throw t;
          }
        }
        counts.add(TransactionCounts.CONFLICTS, 1);
        transaction.recordConflict(++failures);
        if (repeat == null) {
          repeat = repeats.begin();
        }
        if (failures >= ATTEMPTS_TOGETHER && !(runsAlone && turn.attemptBegins())) {
          earlyEnds = countEarlyEnd(transaction, earlyEnds);
          turn.take(transaction, earlyEnds);
          if (!runsAlone) {
            counts.add(TransactionCounts.ALONE_RUNS, 1);
          }
          runsAlone = true;
        }
      }
    } finally {
      if (repeat != null) {
        repeats.end(repeat);
      }
      if (runsAlone) {
        turn.release();
      }
    }
    long committed = event == null ? 0 : System.nanoTime();
    if (waits) {
      if (!written && kind == Kind.BODY && !transaction.durability().isRelaxed()) {
        engine.confirm(position, leadership);
      }
      acknowledge(position, transaction.durability());
    }
    if (kind != Kind.READS) {
      count(counts, kind, written, began);
      transaction.record(
          event, written ? Outcome.COMMITTED : Outcome.READ_ONLY, failures, committed);
    }
    return result;
  }

  private static void count(TransactionCounts.Cell counts, Kind kind, boolean written, long began) {
    if (!written) {
      counts.endedWithoutCommit();
      if (kind == Kind.BODY) {
        counts.add(TransactionCounts.READ_ONLY, 1);
      }
    }
    if (began != 0) {
      counts.timed(began, written);
    }
  }

  /**
   * Counts the turns that ended early; throws when the body seems to wait for what it conflicts
   * with.
   */
  private static int countEarlyEnd(Transaction transaction, int earlyEnds) {
    String callSite = transaction.takeTurnEnded();
    if (callSite == null) {
      return earlyEnds;
    }
    if (earlyEnds + 1 == Turn.EARLY_ENDS_MAX) {
      throw new IllegalStateException(
          "the transaction was rolled back and is not tried again: each time that it ran alone, its body waited or ran for too long, so the store let other threads continue, and one of them changed what the body had read. The last time it was at %s. A body must not wait for another thread that uses the store: do the work in the transaction's own thread, or wait outside of the transaction"
              .formatted(callSite));
    }
    return earlyEnds + 1;
  }

  private static void failIfRollbackOnly(Transaction transaction) {
    Throwable cause = transaction.rollbackCause();
    if (cause != null) {
      throw new RolledBackException(
          "the transaction was rolled back because an exception left a transaction inside it, or a"
              + " method that writes: "
              + cause
              + ". Catch such an exception inside of the inner one, or let it leave the outer one"
              + " too",
          cause);
    }
  }

  /** Returns when a position is durable, or will be in time, as a durability says. */
  void acknowledge(long position, Durability wanted) {
    if (wanted.isRelaxed()) {
      relaxed.acknowledged(position, wanted.bound());
    } else {
      engine.sync(position);
      relaxed.synced(position);
    }
  }

  /** Waits, for some seconds at most, until the transactions that run again now have ended. */
  void awaitRepeats() {
    repeats.await(Repeats.PATIENCE_NANOS);
  }

  /** Makes all durable that was committed before the call. */
  void sync() {
    relaxed.sync();
  }

  /** Ends the sync of relaxed transactions, when the last one has ended. */
  void close() {
    relaxed.close();
  }
}
