package io.pmstore.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Confirms that this node still leads: that at some moment after the call no later leader had been
 * elected.
 *
 * <p>It asks the other nodes for their term. A node that is still in this node's term has not voted
 * for a later leader. So if a majority is in this term, this node included, no later leader had
 * been elected when they were asked. This node has then applied everything that was acknowledged
 * before.
 *
 * <p>The read index of Ratis 3.3.0 does not guarantee this: as long as no entry is committed, it
 * takes an answer to an earlier question for an answer to a later one ({@code
 * ReadIndexHeartbeats.addAppendEntriesListener}). A leader that was cut off then shows old states.
 *
 * <p>Calls that come together share a round of questions. A call that comes during a round waits
 * for the next round. Thread-safe.
 */
final class LeaderCheck {
  private final Node node;
  private final Executor executor;
  private @Nullable CompletableFuture<Boolean> running; // guarded by this
  private @Nullable CompletableFuture<Boolean> next; // guarded by this

  LeaderCheck(Node node, Executor executor) {
    this.node = node;
    this.executor = executor;
  }

  /**
   * Asks the others.
   *
   * @param patienceNanos how long to wait
   * @return null if this node leads in its present term, or what is known instead
   */
  @Nullable Throwable findFault(long patienceNanos) {
    CompletableFuture<Boolean> answer;
    CompletableFuture<Boolean> toStart = null;
    synchronized (this) {
      if (running == null) {
        toStart = new CompletableFuture<>();
        running = toStart;
        answer = toStart;
      } else {
        if (next == null) {
          next = new CompletableFuture<>();
        }
        answer = next;
      }
    }
    if (toStart != null) {
      start(toStart);
    }
    try {
      return answer.get(patienceNanos, TimeUnit.NANOSECONDS)
          ? null
          : new IOException("a majority of the nodes did not confirm that this one leads");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    } catch (ExecutionException | TimeoutException e) {
      return e;
    }
  }

  private void start(CompletableFuture<Boolean> round) {
    var _ = round.whenComplete((leads, thrown) -> ended(round));
    try {
      ask(round);
    } catch (Throwable e) { // the memory may have ended: the next round must be able to start
      round.completeExceptionally(e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // it is the round itself that has ended
  private void ended(CompletableFuture<Boolean> round) {
    CompletableFuture<Boolean> toStart;
    synchronized (this) {
      if (running != round) {
        return;
      }
      toStart = next;
      running = next;
      next = null;
    }
    if (toStart != null) {
      try {
        executor.execute(() -> start(toStart));
      } catch (Throwable e) {
        toStart.completeExceptionally(e);
        ended(toStart);
      }
    }
  }

  private void ask(CompletableFuture<Boolean> round) {
    long term = node.division().getInfo().getCurrentTerm();
    if (!node.division().getInfo().isLeader()) {
      round.complete(false);
      return;
    }
    List<String> others = new ArrayList<>(node.peers().members().keySet());
    int all = others.size();
    others.remove(node.settings().id());
    if (others.isEmpty()) {
      round.complete(true);
      return;
    }
    AtomicInteger confirmed = new AtomicInteger(1);
    AtomicInteger failed = new AtomicInteger();
    for (String each : others) {
      executor.execute(
          () -> {
            if (isInTerm(each, term)) {
              if (confirmed.incrementAndGet() > all / 2) {
                round.complete(node.division().getInfo().getCurrentTerm() == term);
              }
            } else if (failed.incrementAndGet() >= all - all / 2) {
              round.complete(false);
            }
          });
    }
    Thread timeout = Later.run(node.patience(), () -> round.complete(false));
    var _ = round.whenComplete((leads, thrown) -> timeout.interrupt());
  }

  private boolean isInTerm(String id, long term) {
    try {
      return Questions.word(node.peers().ask(id, Questions.of(Questions.TERM, 0, 0)), 0) == term;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
