package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Makes reads of a node linearizable. Thread-safe. */
final class Reads {
  private final Node node;
  private final LeaderCheck check;

  Reads(Node node, Executor executor) {
    this.node = node;
    this.check = new LeaderCheck(node, executor);
  }

  /**
   * Waits until it is certain that no other node has led since this one did in a term.
   *
   * @throws NotLeaderException if that is not so
   */
  void confirm(long term) {
    Leadership leadership = node.leadership();
    Throwable failed =
        term == 0 || leadership.term() != term
            ? new IOException("it stopped leading")
            : check.findFault(node.patience());
    if (failed instanceof InterruptedException) {
      throw Node.interrupted(
          "a transaction that only reads was interrupted before it was certain that this node"
              + " leads");
    }
    if (failed != null || leadership.term() != term) {
      throw leadership.notLeader("what a transaction has read may be old: " + failed);
    }
  }

  /**
   * Waits until this node shows everything that any node had acknowledged before.
   *
   * @throws NotLeaderException if no leader says what that is
   */
  void awaitNewest() {
    long begin = System.nanoTime();
    Leadership leadership = node.leadership();
    Backoff backoff = new Backoff(leadership);
    while (true) {
      int seen = leadership.changes();
      long newest = leadership.term() != 0 ? newestHere() : newestElsewhere();
      if (newest >= 0 && awaitApplied(newest, node.patience() - (System.nanoTime() - begin))) {
        node.operation().heard();
        return;
      }
      if (node.hasEnded() || System.nanoTime() - begin > node.patience()) {
        throw leadership.notLeader("the newest state is not known, or not here yet");
      }
      backoff.pause(seen, "a read was interrupted before the newest state was known");
    }
  }

  private boolean awaitApplied(long index, long nanos) {
    try {
      return node.applier().awaitIndex(index, nanos);
    } catch (InterruptedException e) {
      throw Node.interrupted("a read was interrupted before the newest state was here");
    }
  }

  /** Returns the index of an entry that includes everything acknowledged, or -1 if not leading. */
  long newestHere() {
    Leadership leadership = node.leadership();
    long term = leadership.term();
    long newest = node.applier().index(); // at least of everything that is acknowledged
    return term != 0 && check.findFault(node.patience()) == null && leadership.term() == term
        ? newest
        : -1;
  }

  /** Asks the leader for the index of an entry that includes all that was acknowledged; or -1. */
  long newestElsewhere() {
    @Nullable String leader = node.leadership().otherLeaderId();
    if (leader == null) {
      return -1;
    }
    try {
      return Questions.word(node.peers().ask(leader, Questions.of(Questions.NEWEST, 0, 0)), 0);
    } catch (IOException e) {
      return -1;
    }
  }
}
