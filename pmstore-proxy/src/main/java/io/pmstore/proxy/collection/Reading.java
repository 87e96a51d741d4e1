package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.Modifications.Commit;
import io.pmstore.proxy.collection.Modifications.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a value that was read from a collection may still be returned. It may not after a
 * change through the same Java object, nor in another transaction than the one that read it, nor,
 * outside of transactions, after the commit of such a change. So a body never gets a value that its
 * transaction did not read, and no code gets a value that was rolled back or, once the transaction
 * that replaced it has returned, an earlier one.
 */
final class Reading {
  /** The transaction or snapshot that read. It is notified of its end. */
  private static final class Scope {
    private final boolean fixed; // a snapshot: nothing that it reads changes
    private volatile boolean ended;
    private volatile boolean rolledBack;

    Scope(boolean fixed) {
      this.fixed = fixed;
    }

    void end() {
      ended = true;
    }

    void rollBack() {
      rolledBack = true;
      ended = true;
    }
  }

  private final Heap heap;
  private final Modifications modifications;
  private final Stamp contents;
  private final @Nullable Commit commit;
  private final long replicated;
  private final @Nullable Scope scope; // null if read outside a transaction

  private Reading(Heap heap, Modifications modifications, @Nullable Scope scope) {
    this.heap = heap;
    this.modifications = modifications;
    this.contents = modifications.contents();
    this.commit = modifications.commit();
    this.replicated = heap.replica().changes();
    this.scope = scope;
  }

  /**
   * Starts a reading. The caller calls it before the read itself, so that no change falls between
   * the two.
   *
   * @param previous the caller's last reading, whose transaction may still run
   */
  static Reading begin(Heap heap, Modifications modifications, @Nullable Reading previous) {
    if (!heap.inTransaction()) {
      return new Reading(heap, modifications, null);
    }
    Scope scope = previous == null ? null : previous.scope;
    if (scope == null || scope.ended) {
      scope = new Scope(heap.inSnapshot());
      heap.onCommit(scope::end);
      heap.onRollback(scope::rollBack);
    }
    return new Reading(heap, modifications, scope);
  }

  /** Returns true if what was read may never have been committed. */
  static boolean isRolledBack(@Nullable Reading reading) {
    return reading != null && reading.scope != null && reading.scope.rolledBack;
  }

  boolean isCurrent() {
    if (scope == null) {
      return contents == modifications.contents()
          && commit == modifications.commit()
          && replicated == heap.replica().changes()
          && !heap.inTransaction();
    }
    return !scope.ended && (scope.fixed || contents == modifications.contents());
  }
}
