package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The commits of a store that are under way, of transactions and of a replica: waits until they
 * have ended, or holds new ones back. Safe for use by any number of threads.
 */
public final class Commits {
  private final Engine engine;
  private final Set<Committer> committers = Collections.newSetFromMap(new WeakHashMap<>());
  private long made; // guarded by the set, as the set is
  private final Mutex pauseLock = new Mutex();
  private volatile boolean paused;

  /**
   * Creates a set without commits.
   *
   * @param engine whose failure ends every wait: a commit may never return from it then
   */
  Commits(Engine engine) {
    this.engine = engine;
  }

  /** Makes a committer, which counts for as long as its owner keeps it. */
  Committer committer() {
    Committer committer = new Committer(this, engine);
    synchronized (committers) {
      committers.add(committer);
      made++;
    }
    return committer;
  }

  /**
   * What the committers had done at a moment.
   *
   * @param changes {@link Committer#changes} of each; the map keeps them
   * @param made how many committers there had ever been
   */
  record Progress(Map<Committer, Long> changes, long made) {}

  Progress progress() {
    synchronized (committers) {
      Map<Committer, Long> changes = new HashMap<>();
      committers.forEach(committer -> changes.put(committer, committer.changes()));
      return new Progress(changes, made);
    }
  }

  /**
   * Waits until all commits that are under way have ended.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  public void awaitCommits() {
    progress().changes().forEach(Committer::await);
  }

  /**
   * Does as {@link #awaitCommits}.
   *
   * @return the highest position of the commits that were under way at any time since a moment, or
   *     a higher one; {@code Long.MAX_VALUE} if the committer of such a commit may be gone already;
   *     0 if there were none
   */
  long awaitCommitsSince(Progress before) {
    Progress now = progress();
    long newest = 0;
    long made = before.made();
    for (Map.Entry<Committer, Long> each : now.changes().entrySet()) {
      Committer committer = each.getKey();
      long seen = each.getValue();
      long position = committer.await(seen);
      if (!before.changes().containsKey(committer)) {
        made++;
      }
      if (Committer.isCommitting(seen) || seen != before.changes().getOrDefault(committer, 0L)) {
        newest = Math.max(newest, position);
      }
    }
    return now.made() == made ? newest : Long.MAX_VALUE;
  }

  /**
   * Runs an action while no commit is under way. Transactions run on until they commit.
   *
   * @param action must not wait for a transaction
   * @throws io.pmstore.StoreFailedException if the engine fails before; the action was not run
   */
  public void pauseFor(Runnable action) {
    pauseLock.lock();
    try {
      paused = true;
      awaitCommits();
      action.run();
    } finally {
      paused = false;
      pauseLock.unlock();
    }
  }

  boolean arePaused() {
    return paused;
  }

  void awaitResumed() {
    try (var _ = pauseLock.hold()) {
      return; // waiting was all
    }
  }
}
