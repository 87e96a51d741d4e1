package io.pmstore.raft;

import io.pmstore.PmStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether this node, as a follower, has what was committed when it asked its leader. It asks
 * after its start, and again when it learns of another leader: what this node itself knows to be
 * committed does not go beyond its own log, which may be empty. Thread-safe.
 */
final class CatchUp {
  private final Node node;
  private @Nullable Goal goal; // guarded by this

  /** The entry that the leader had, which this node knows since a change of who leads. */
  private record Goal(int change, long index) {}

  CatchUp(Node node) {
    this.node = node;
  }

  /** Returns true if this node has what its present leader had when it was asked. */
  synchronized boolean isDone() {
    Goal now = goal;
    return now != null
        && now.change() == node.leadership().changes()
        && node.applier().index() >= now.index();
  }

  /** Returns the entry that the present leader said it has, if this node lacks it; or -1. */
  synchronized long lacked() {
    Goal now = goal;
    return now == null || now.change() != node.leadership().changes() || isDone()
        ? -1
        : now.index();
  }

  /** Asks the leader, on a thread of its own; called when this node knows another one, or none. */
  void begin(int change) {
    Thread.ofVirtual().name("pmstore-raft-catch-up").start(() -> ask(change));
  }

  private void ask(int change) {
    Leadership leadership = node.leadership();
    Backoff backoff = new Backoff(leadership);
    while (leadership.changes() == change && leadership.term() == 0 && !node.hasEnded()) {
      long index = newest();
      if (index >= 0) {
        note(new Goal(change, index));
        return;
      }
      backoff.pause(change, "interrupted while the node asked for the newest entry");
    }
  }

  private long newest() {
    try {
      return node.reads().newestElsewhere();
    } catch (PmStoreException e) {
      return -1; // the node is being opened or closed
    }
  }

  private synchronized void note(Goal asked) {
    if (goal == null || goal.change() < asked.change()) {
      goal = asked;
    }
  }
}
