package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The commits of a store that are under way, of transactions and of a replica: waits until they
 * have ended, or holds new ones back. Safe for use by any number of threads.
 */
public final class Commits {
  private final Engine engine;
  private final Set<Committer> committers =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
  private final ReentrantLock pauseLock = new ReentrantLock();
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
    Committer made = new Committer(this, engine);
    committers.add(made);
    return made;
  }

  /**
   * Waits until all commits that are under way have ended.
   *
   * @return a position that none of them is above, 0 if there were none
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  public long awaitCommits() {
    List<Committer> all;
    synchronized (committers) {
      all = new ArrayList<>(committers);
    }
    long newest = 0;
    for (Committer committer : all) {
      newest = Math.max(newest, committer.await());
    }
    return newest;
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
    pauseLock.lock();
    try {
      return; // waiting was all
    } finally {
      pauseLock.unlock();
    }
  }
}
