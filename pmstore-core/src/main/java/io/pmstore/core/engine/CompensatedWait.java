package io.pmstore.core.engine;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;

/**
 * Waits in a way that lets the pool of a fork-join worker run another thread meanwhile. The event
 * for which the worker waits may need that thread: Ratis, for instance, writes a follower's log in
 * the common pool, which has a single worker on a machine with two processors.
 */
public final class CompensatedWait {
  private CompensatedWait() {}

  /** Waits once. */
  @FunctionalInterface
  public interface Wait {
    void await() throws InterruptedException;
  }

  /** Has the calling thread wait. */
  public static void once(Wait wait) throws InterruptedException {
    if (!(Thread.currentThread() instanceof ForkJoinWorkerThread)) {
      wait.await();
      return;
    }
    try {
      ForkJoinPool.managedBlock(new Blocker(wait));
    } catch (RejectedExecutionException e) {
      wait.await(); // the pool has as many threads as it may have
    }
  }

  private record Blocker(Wait once) implements ForkJoinPool.ManagedBlocker {
    @Override
    public boolean block() throws InterruptedException {
      once.await();
      return true;
    }

    @Override
    public boolean isReleasable() {
      return false; // whoever waits looks after each wait
    }
  }
}
