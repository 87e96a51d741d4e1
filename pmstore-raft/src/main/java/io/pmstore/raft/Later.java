package io.pmstore.raft;

import java.util.concurrent.TimeUnit;

/**
 * Runs actions after a time, each on a virtual thread of its own. The JVM's timer thread, which
 * {@link java.util.concurrent.CompletableFuture} uses, would keep the class loader of whoever used
 * it first, and would wait for actions that wait.
 */
final class Later {
  private Later() {}

  /**
   * Runs an action after a time.
   *
   * @return the thread; the action does not run if the thread is interrupted before
   */
  static Thread run(long nanos, Runnable action) {
    return Thread.ofVirtual()
        .name("pmstore-raft-later")
        .start(
            () -> {
              try {
                TimeUnit.NANOSECONDS.sleep(nanos);
              } catch (InterruptedException e) {
                return; // nobody wants it any more
              }
              action.run();
            });
  }
}
