package io.pmstore.core.tx;

import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A fork-join pool that can have no second worker, so that a wait of its worker may throw. */
final class SingleWorker {
  private SingleWorker() {}

  /**
   * Calls a task on the worker.
   *
   * @param error thrown when the pool makes another worker
   * @return the task's result
   */
  static <T> T call(Error error, Callable<T> task) throws Exception {
    AtomicBoolean hasWorker = new AtomicBoolean();
    ForkJoinPool pool =
        new ForkJoinPool(
            1,
            made -> {
              if (hasWorker.getAndSet(true)) {
                throw error;
              }
              return ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(made);
            },
            null,
            false);
    try {
      return pool.submit(task).get(30, TimeUnit.SECONDS);
    } finally {
      pool.shutdown(); // close() would wait for the worker that could not be made
    }
  }
}
