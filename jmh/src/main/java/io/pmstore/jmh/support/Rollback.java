package io.pmstore.jmh.support;

import com.intel.pmem.llpl.TransactionalHeap;
import io.pmstore.core.heap.Heap;
import java.util.function.Consumer;

/**
 * Ends a transaction without a commit, so that a benchmark of what happens inside one measures no
 * barrier, and leaves the store as large as it was.
 */
public final class Rollback extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("StaticAssignmentOfThrowable") // it carries no state
  private static final Rollback INSTANCE = new Rollback();

  private Rollback() {
    super("the benchmark wanted no commit", null, false, false);
  }

  /**
   * Runs a body in a transaction and rolls it back.
   *
   * @param heap of the store
   */
  public static void after(Heap heap, Runnable body) {
    after(
        aborting ->
            heap.transaction(
                () -> {
                  aborting.run();
                  return true;
                }),
        body);
  }

  /** Runs a body in a transaction of LLPL and rolls it back. */
  public static void after(TransactionalHeap pool, Runnable body) {
    after(pool::execute, body);
  }

  @SuppressWarnings("EmptyCatch") // it has done its work
  private static void after(Consumer<Runnable> transaction, Runnable body) {
    try {
      transaction.accept(
          () -> {
            body.run();
            throw INSTANCE;
          });
    } catch (Rollback done) {
      // Thrown above.
    }
  }
}
