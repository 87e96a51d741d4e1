package io.pmstore.proxy.convert;

import io.pmstore.core.heap.Heap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The points at which each thread began to store a value, a part of one, or the values of one
 * operation of a collection. If the store refuses something, the transaction goes back to that
 * point: it undoes what was converted and stored since. Thread-safe.
 */
final class Savepoints {
  private final Heap heap;

  @SuppressWarnings("ThreadLocalUsage") // one for each store, and empty while nothing is stored
  private final ThreadLocal<@Nullable Steps> steps = new ThreadLocal<>();

  Savepoints(Heap heap) {
    this.heap = heap;
  }

  /**
   * Runs a body that stores something. If it throws, undoes what the current transaction has
   * converted and stored meanwhile. If a step cannot be undone, the transaction rolls back, since
   * only a part may be stored.
   */
  <T extends @Nullable Object> T run(Supplier<T> body) {
    Steps outer = steps.get();
    Steps mine = outer == null ? new Steps() : outer;
    if (outer == null) {
      steps.set(mine);
    }
    int mark = mine.mark();
    try {
      return body.get();
    } catch (Throwable refusal) {
      undoSince(mine, mark, refusal);
      throw refusal;
    } finally {
      if (outer == null) {
        // Nothing undoes them any more, and no thread may keep the program's classes.
        steps.set(null);
      }
    }
  }

  /** Undoes the steps behind a mark. The refusal gets the failure of a step. */
  @SuppressWarnings("ReferenceEquality") // one instance stands for all conflicts
  private void undoSince(Steps mine, int mark, Throwable refusal) {
    if (mine.hasSince(mark)) {
      try {
        heap.transaction( // which rolls the whole transaction back if it fails
            () -> {
              mine.undoSince(mark);
              return mine;
            });
      } catch (RuntimeException | Error e) {
        if (e != refusal) {
          refusal.addSuppressed(e);
        }
      }
    }
  }

  /** Remembers how to undo a step, if something is under way that may undo it. */
  void done(Steps.Kind kind, Runnable undo) {
    Steps mine = steps.get();
    if (mine != null) {
      mine.add(kind, undo);
    }
  }
}
