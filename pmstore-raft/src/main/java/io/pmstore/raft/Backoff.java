package io.pmstore.raft;

import java.util.concurrent.TimeUnit;

/**
 * Waits before this node asks another node again. Only an answer shows whether the other node leads
 * now. So the waits begin short, double each time, and stay below the time of an election. If this
 * node learns of another leader, the wait ends early. Used by one thread.
 */
final class Backoff {
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(32);

  private final Leadership leadership;
  private long next = FIRST_NANOS;

  Backoff(Leadership leadership) {
    this.leadership = leadership;
  }

  /**
   * Waits.
   *
   * @param seen {@link Leadership#changes} before the node asked
   * @param why the message, if the calling thread is interrupted
   */
  void pause(int seen, String why) {
    try {
      leadership.awaitChange(seen, next);
    } catch (InterruptedException e) {
      throw Node.interrupted(why);
    }
    next = Math.min(2 * next, LAST_NANOS);
  }
}
