package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.ReplicationStatus;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether this node leads, and which node leads otherwise. Thread-safe.
 *
 * <p>The role changes in two steps. {@link #term} decides whether a transaction may be proposed,
 * and changes at once. The heap and its collector change their role later, on another thread,
 * because transactions and the collector may wait until entries are applied.
 */
final class Leadership {
  private static final System.Logger LOG = System.getLogger(Leadership.class.getName());
  private static final long THREAD_SECONDS_MAX = 10;

  private final Node node;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("pmstore-raft-role").factory());
  private final Signal signal = new Signal();
  private final Object lock = new Object();
  private int roleChanges; // guarded by lock
  private boolean ended; // guarded by lock
  private volatile long term;
  private volatile int changes;

  Leadership(Node node) {
    this.node = node;
  }

  /** Returns the term in which this node runs transactions, or 0. */
  long term() {
    return node.hasEnded() ? 0 : term;
  }

  /**
   * Returns the term in which a transaction may be proposed.
   *
   * @throws NotLeaderException if this node runs no transactions now
   */
  long termToWrite() {
    long now = term();
    if (now == 0) {
      throw notLeader("this node does not run transactions");
    }
    return now;
  }

  /** Returns the id of the leader, as far as this node knows, or null. */
  @Nullable String leaderId() {
    RaftPeerId leader = node.division().getInfo().getLeaderId();
    return leader == null || leader.toString().isEmpty() ? null : leader.toString();
  }

  /** Returns the id of the leader if another node is, as far as this one knows, or null. */
  @Nullable String otherLeaderId() {
    String leader = leaderId();
    return node.settings().id().equals(leader) ? null : leader;
  }

  NotLeaderException notLeader(String what) {
    String id = node.settings().id();
    String leader = leaderId();
    return new NotLeaderException("%s (%s): %s".formatted(what, id, advice(leader)), leader);
  }

  private String advice(@Nullable String leader) {
    if (leader == null) {
      return node.operation().role() == ReplicationStatus.Role.STOPPED
          ? Node.REMOVED
          : "no leader is known now; try again when one is elected";
    }
    return leader.equals(node.settings().id())
        ? "it has been elected, and is about to begin; try again"
        : "the leader is %s at %s; call it there".formatted(leader, node.peers().addressOf(leader));
  }

  // ---- changes

  /** Returns a number that is another one after each change of who leads, as far as known here. */
  int changes() {
    return changes;
  }

  /** Waits until {@link #changes} is not {@code seen}, or for a time. */
  void awaitChange(int seen, long nanos) throws InterruptedException {
    signal.await(() -> changes != seen, nanos);
  }

  /** Notes that this node knows another leader, or none. */
  void changed() {
    int change;
    synchronized (lock) {
      change = ++changes;
    }
    signal.changed();
    node.catchUp().begin(change);
  }

  /**
   * Called when all entries of earlier terms are applied, and this node leads. Another thread of
   * Ratis calls {@link #lost}, and may have done so before: Ratis has given the role up by then.
   */
  void ready() {
    var info = node.division().getInfo();
    long ready;
    int change;
    synchronized (lock) {
      ready = info.getCurrentTerm();
      if (!info.isLeaderReady()) {
        return;
      }
      change = ++roleChanges; // what is not carried out yet is void
    }
    inThread(
        () -> {
          if (isStill(change)) {
            node.host().lead(() -> lead(ready, change));
          }
        });
  }

  private void lead(long ready, int change) {
    String birth = node.applier().birth();
    if (birth != null && isStill(change)) {
      node.proposals().proposeBirth(ready, node.guard().forFirstEntry(), birth);
      if (node.guard().cluster() == null) {
        node.operation().stepDown("the first entry of the cluster was not written");
        return;
      }
    }
    synchronized (lock) {
      if (roleChanges == change && !ended) {
        term = ready;
      }
    }
    changed();
  }

  /** Called when this node stops leading. Must not wait. */
  void lost() {
    int change;
    synchronized (lock) {
      change = ++roleChanges;
      term = 0;
    }
    changed();
    node.proposals().giveUp("this node stopped leading");
    inThread(
        () -> {
          if (isStill(change)) {
            node.host().follow();
          }
        });
  }

  /** Called when the node is closed or has failed: it does not lead any more. */
  void end() {
    synchronized (lock) {
      ended = true;
      roleChanges++;
      term = 0;
    }
    changed();
  }

  private boolean isStill(int change) {
    synchronized (lock) {
      return roleChanges == change && !ended;
    }
  }

  private void inThread(Runnable change) {
    try {
      thread.execute(
          () -> {
            try {
              change.run();
            } catch (Throwable t) {
              if (!node.isClosing()) {
                node.failed(t);
              }
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "the node is closed", e);
    }
  }

  /** Waits until what the role thread does has ended. */
  void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(THREAD_SECONDS_MAX, TimeUnit.SECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            node.settings().id() + ": a change of the role does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
