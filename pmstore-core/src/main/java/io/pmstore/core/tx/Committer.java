package io.pmstore.core.tx;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows other threads whether a transaction or a replica is committing. Its own thread begins and
 * ends commits; other threads can wait for the end.
 */
final class Committer {
  private final Commits commits;
  private final Engine engine;
  private final AtomicLong changes = new AtomicLong(); // odd while a commit is under way
  private final AtomicLong newest = new AtomicLong();

  Committer(Commits commits, Engine engine) {
    this.commits = commits;
    this.engine = engine;
  }

  /**
   * Counts a commit as under way, before it looks for snapshots. Waits while commits are paused.
   * The caller calls {@link #end} whatever this method throws.
   */
  void begin() {
    while (true) {
      changes.set(changes.getPlain() | 1);
      if (!commits.arePaused()) {
        return;
      }
      end();
      commits.awaitResumed();
    }
  }

  /** Notes the position of the commit that is under way. */
  void committed(long position) {
    newest.setPlain(position); // ordered by end()
  }

  void end() {
    changes.setRelease((changes.getPlain() | 1) + 1); // even, whatever ended begin()
  }

  /** Returns true if a commit is under way. Called by any thread. */
  boolean isCommitting() {
    return isCommitting(changes.get());
  }

  /**
   * Returns a number that is 0 before the first commit and changes when a commit begins and when it
   * ends. Called by any thread.
   */
  long changes() {
    return changes.get();
  }

  /** Returns true if a commit was under way when {@link #changes} was a number. */
  static boolean isCommitting(long seen) {
    return (seen & 1) != 0;
  }

  /**
   * Waits until the commit that was under way, if there was one, has ended. Called by any thread
   * but the committer's.
   *
   * @param seen what {@link #changes} was
   * @return the position of that commit, or of an earlier or later one of this committer
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  long await(long seen) {
    if (isCommitting(seen)) {
      Backoff backoff = new Backoff();
      while (changes.getAcquire() == seen) {
        engine.checkUsable();
        backoff.pause();
      }
    }
    return newest.getOpaque();
  }
}
