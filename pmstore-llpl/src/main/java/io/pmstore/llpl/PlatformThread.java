package io.pmstore.llpl;

import io.pmstore.core.engine.Uninterruptibles;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * One platform thread that runs PMDK transactions which must not run on their caller's thread.
 *
 * <p>A PMDK transaction belongs to the native thread. The JVM moves a virtual thread between native
 * threads whenever the virtual thread waits, even if the JVM itself makes it wait, for a class for
 * example. Another virtual thread on the same native thread would then take part in its
 * transaction. So a virtual thread never runs a PMDK transaction.
 */
final class PlatformThread {
  private final ExecutorService executor;

  PlatformThread(String name) {
    executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory());
  }

  /**
   * Runs a task on the thread and waits for it. An interrupt does not cut the wait short, since the
   * task would go on; it is seen afterwards.
   *
   * @param task what to run
   * @return its result; what it throws is thrown here
   * @throws java.util.concurrent.RejectedExecutionException after {@link #end}
   */
  <T> T call(Supplier<T> task) {
    try {
      return Uninterruptibles.get(executor.submit(task::get));
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new AssertionError(e); // a Supplier throws nothing else
      }
    }
  }

  /** Runs a task like {@link #call}. */
  void run(Runnable task) {
    Object _ =
        call(
            () -> {
              task.run();
              return true;
            });
  }

  /** Ends the thread when what it has taken on is done. */
  void end() {
    executor.shutdown();
  }
}
