package io.pmstore.spring.transaction;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStore.TransactionBody;
import io.pmstore.PmStore.TransactionFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions of a store and, after their commits, the actions that belong to them. Methods
 * with {@link StoreTransaction} run through a template. Safe for use by any number of threads,
 * virtual ones too.
 *
 * <p><b>A body may run more than once</b>, as {@link PmStore#transaction(TransactionBody)} says.
 * That method also lists the exceptions of a transaction; the methods of this class throw the same.
 */
public class PmStoreTemplate {
  /** The actions of the transaction that the thread runs; removed when that ends. */
  @SuppressWarnings("ThreadLocalUsage") // one for each store: a thread may use several
  private final ThreadLocal<@Nullable List<Runnable>> actions = new ThreadLocal<>();

  private final PmStore store;

  /**
   * Creates a template.
   *
   * @param store the store whose transactions it runs
   */
  public PmStoreTemplate(PmStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * Returns the store.
   *
   * @return the store that was given to the constructor
   */
  public PmStore store() {
    return store;
  }

  /**
   * Runs a body as one transaction with the store's durability. Inside a transaction the body joins
   * that transaction. After the commit of the outermost transaction this method runs the actions
   * that {@link #afterCommit} has received.
   *
   * @param <X> what the body may throw
   * @param body the reads and writes; may run more than once
   * @throws X what the body threw; nothing was written
   */
  public <X extends Exception> void execute(TransactionBody<X> body) throws X {
    this.<@Nullable Void, X>execute(
        null,
        () -> {
          body.run();
          return null;
        });
  }

  /**
   * Runs a body as one transaction with the store's durability and returns its result. Everything
   * that {@link #execute(TransactionBody)} says holds.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads and writes; may run more than once
   * @return what the body returned in the run that was committed
   * @throws X what the body threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T execute(TransactionFunction<T, X> body)
      throws X {
    return execute(null, body);
  }

  /**
   * Runs a body as one transaction with a durability of its own and returns its result. Everything
   * else that {@link #execute(TransactionBody)} says holds.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param durability when the transaction is acknowledged; null for the store's own durability
   * @param body the reads and writes; may run more than once
   * @return what the body returned in the run that was committed
   * @throws X what the body threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T execute(
      @Nullable Durability durability, TransactionFunction<T, X> body) throws X {
    if (store.inTransaction()) {
      return run(durability, body);
    }
    List<Runnable> outer = actions.get(); // of a transaction that is over and runs its actions
    List<Runnable> mine = new ArrayList<>();
    T result;
    actions.set(mine);
    try {
      result =
          run(
              durability,
              () -> {
                mine.clear(); // a run before this one was rolled back
                return body.run();
              });
    } finally {
      restore(outer);
    }
    runAll(mine);
    return result;
  }

  private <T extends @Nullable Object, X extends Exception> T run(
      @Nullable Durability durability, TransactionFunction<T, X> body) throws X {
    return durability == null ? store.transaction(body) : store.transaction(durability, body);
  }

  private void restore(@Nullable List<Runnable> outer) {
    if (outer == null) {
      actions.remove();
    } else {
      actions.set(outer);
    }
  }

  /**
   * Runs a body that only reads, once, in a {@linkplain PmStore#snapshot(TransactionFunction)
   * snapshot}, and returns its result. The body sees one state of the store. Inside a transaction
   * the body is a part of that transaction.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads; outside a transaction a write throws {@link IllegalStateException}
   * @return what the body returned
   * @throws X what the body threw
   */
  public <T extends @Nullable Object, X extends Exception> T read(TransactionFunction<T, X> body)
      throws X {
    return store.inTransaction() ? body.run() : store.snapshot(body);
  }

  /**
   * Runs an action after the calling thread's transaction has committed. The action runs once, even
   * if the body runs several times, and never after a roll-back. The thread runs the actions in the
   * order in which this method received them, outside the transaction, before {@code execute}
   * returns. After a crash between the commit and an action, that action never runs.
   *
   * <p>If an action throws, the other actions still run and the transaction stays committed. {@code
   * execute} then throws the first exception or error, with the later ones suppressed in it.
   *
   * @param action the action
   * @throws IllegalStateException if the thread runs no transaction that began with this template
   *     or with {@link StoreTransaction}
   */
  public void afterCommit(Runnable action) {
    Objects.requireNonNull(action, "action");
    List<Runnable> mine = actions.get();
    if (mine == null || !store.inTransaction()) {
      throw new IllegalStateException(
          "the calling thread runs no transaction that PmStoreTemplate or @StoreTransaction began,"
              + " so nothing would run the action; call afterCommit in the body of"
              + " PmStoreTemplate.execute");
    }
    mine.add(action);
  }

  private static void runAll(List<Runnable> actions) {
    @Nullable Throwable first = null;
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (Throwable e) {
        if (first == null) {
          first = e;
        } else if (!first.equals(e)) {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      PmStoreTemplate.<RuntimeException>rethrow(first);
    }
  }

  @SuppressWarnings("unchecked") // an action in another language can throw checked exceptions
  private static <X extends Throwable> void rethrow(Throwable e) throws X {
    throw (X) e;
  }
}
