package io.pmstore.jmh.support;

import io.pmstore.core.heap.Heap;

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
  @SuppressWarnings("EmptyCatch") // it has done its work
  public static void after(Heap heap, Runnable body) {
    try {
      heap.transaction(
          () -> {
            body.run();
            throw INSTANCE;
          });
    } catch (Rollback done) {
      // Thrown above.
    }
  }
}
