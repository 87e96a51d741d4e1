package io.pmstore.raft;

import static java.util.Objects.requireNonNull;

import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.raft.Answer.Ending;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.protocol.exceptions.SetConfigurationException;
import org.apache.ratis.rpc.CallId;
import org.jspecify.annotations.Nullable;

/**
 * Changes the members of the cluster. The leader carries a change out, one at a time: it checks the
 * change against the present members, and has Ratis compare these with its own before it replaces
 * them. The other nodes ask the leader, and ask again until they have an answer: a leader that is
 * asked for the change that it is carrying out answers with the outcome of that. Thread-safe.
 */
final class Members {
  /** How long a leader lets a caller wait before it answers that the change goes on. */
  private static final long ANSWER_SECONDS_MAX = 5;

  /** How long a caller looks for a leader that answers. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Node node;
  private final Executor executor;
  private @Nullable Running running; // guarded by this

  /** The change that this node carries out, or carried out last, as its repetition. */
  private record Running(MemberChange change, CompletableFuture<Answer> outcome) {}

  Members(Node node, Executor executor) {
    this.node = node;
    this.executor = executor;
  }

  /**
   * Asks the leader to carry a change out, and waits for the outcome.
   *
   * @throws IllegalArgumentException if it is none of the present members
   * @throws io.pmstore.NotLeaderException if no leader was found that carries it out
   * @throws OutcomeUnknownException if the leader was lost before it answered
   * @throws PmStoreException if it failed for another reason
   */
  void change(MemberChange wanted) {
    MemberChange asked = wanted;
    long begin = System.nanoTime();
    Backoff backoff = new Backoff(node.leadership());
    while (true) {
      int seen = node.leadership().changes();
      Answer answer = node.leadership().term() != 0 ? execute(asked) : send(asked);
      String text = "%s: %s".formatted(wanted.failure(), answer.text());
      switch (answer.ending()) {
        case DONE -> {
          return;
        }
        case REFUSED -> throw new IllegalArgumentException(text);
        case FAILED -> throw new PmStoreException(text);
        case RUNNING, UNKNOWN -> asked = wanted.repeated();
        case NOT_LEADER, ALONE -> {} // not executed
      }
      if (answer.ending() == Ending.RUNNING) {
        begin = System.nanoTime();
      } else if (System.nanoTime() - begin > PATIENCE_NANOS || node.hasEnded()) {
        throw asked.isRepeated() ? unknown(wanted, answer) : node.leadership().notLeader(text);
      }
      backoff.pause(
          seen, "interrupted while the members were being changed, which may still happen");
    }
  }

  private static OutcomeUnknownException unknown(MemberChange change, Answer last) {
    return new OutcomeUnknownException(
        "the outcome of a change of the members, %s, is not known: %s; look at the members in the status of a node that is ready, and call again if the change is not there"
            .formatted(change, last.text()));
  }

  private Answer send(MemberChange change) {
    String leader = node.leadership().otherLeaderId();
    if (leader == null) {
      return new Answer(Ending.NOT_LEADER, "no leader is known");
    }
    try {
      return Answer.decode(node.peers().ask(leader, change.encode()));
    } catch (IOException | RuntimeException e) {
      return new Answer(Ending.UNKNOWN, "the leader %s did not answer: %s".formatted(leader, e));
    }
  }

  /** Carries a change out on this node, if it leads; waits for the outcome, but not for ever. */
  Answer execute(MemberChange change) {
    try {
      return beginOrFind(change).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return new Answer(Ending.RUNNING, "it goes on");
    } catch (ExecutionException e) {
      return new Answer(Ending.UNKNOWN, String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer(Ending.UNKNOWN, "the thread was interrupted");
    }
  }

  /** Returns the outcome of a change: that of the running one, if it is the same; or begins it. */
  private synchronized CompletableFuture<Answer> beginOrFind(MemberChange change) {
    Running now = running;
    if (now != null && !now.outcome().isDone()) {
      return now.change().equals(change.repeated())
          ? now.outcome()
          : ended(
              Ending.FAILED,
              "another change of the members, %s, is under way; look at the members when it has ended, and try again"
                  .formatted(now.change()));
    }
    if (node.leadership().term() == 0) {
      return ended(Ending.NOT_LEADER, "%s does not lead".formatted(id()));
    }
    Map<String, String> members = node.peers().members();
    if (change.isRepeated() && change.isDoneIn(members)) {
      return ended(Ending.DONE, null);
    }
    String fault = change.findFault(members);
    if (fault != null) {
      return ended(Ending.REFUSED, fault);
    }
    CompletableFuture<Answer> outcome = begin(change, members);
    running = new Running(change.repeated(), outcome);
    return outcome;
  }

  private static CompletableFuture<Answer> ended(Ending ending, @Nullable String text) {
    return CompletableFuture.completedFuture(new Answer(ending, text));
  }

  private CompletableFuture<Answer> begin(MemberChange change, Map<String, String> members) {
    Map<String, String> changed = change.appliedTo(members);
    if (!changed.containsKey(id())) {
      return CompletableFuture.supplyAsync(() -> handOver(changed.keySet()), executor);
    }
    SetConfigurationRequest request =
        new SetConfigurationRequest(
            ClientId.randomId(),
            node.server().getId(),
            node.groupId(),
            CallId.getAndIncrement(),
            SetConfigurationRequest.Arguments.newBuilder()
                .setServersInCurrentConf(RatisServer.peers(members))
                .setServersInNewConf(RatisServer.peers(changed))
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .build());
    try {
      return node.server()
          .setConfigurationAsync(request)
          .handle((reply, thrown) -> outcome(change, reply, thrown));
    } catch (IOException e) {
      return CompletableFuture.completedFuture(outcome(change, null, e));
    }
  }

  private String id() {
    return node.settings().id();
  }

  /**
   * Makes another node the leader, which then removes this one: Ratis lets a leader that is removed
   * hold all requests up, and then stop without a successor.
   */
  private Answer handOver(Set<String> ids) {
    @Nullable PmStoreException failed = null;
    for (String each : ids) {
      try {
        node.operation().transfer(each);
        return new Answer(Ending.NOT_LEADER, "%s leads now".formatted(each));
      } catch (StoreClosedException e) {
        return new Answer(Ending.UNKNOWN, e.getMessage());
      } catch (PmStoreException e) {
        failed = e;
      }
    }
    return new Answer(Ending.FAILED, requireNonNull(failed).getMessage());
  }

  private static Answer outcome(
      MemberChange change, @Nullable RaftClientReply reply, @Nullable Throwable thrown) {
    if (reply != null && reply.isSuccess()) {
      return new Answer(Ending.DONE, null);
    }
    return switch (fault(reply, thrown)) {
      case LeaderNotReadyException e -> new Answer(Ending.NOT_LEADER, e.toString());
      case NotLeaderException e -> new Answer(Ending.UNKNOWN, e.toString());
      case LeaderSteppingDownException e -> new Answer(Ending.UNKNOWN, e.toString());
      case ReconfigurationInProgressException e when change.isRepeated() ->
          new Answer(Ending.UNKNOWN, e.toString());
      case ReconfigurationInProgressException e ->
          new Answer(
              Ending.FAILED,
              "another change of the members is under way (%s); look at the members when it has ended, and try again"
                  .formatted(e.getMessage()));
      case SetConfigurationException e ->
          new Answer(
              Ending.FAILED,
              "another change of the members came first (%s); look at the members, and try again"
                  .formatted(e.getMessage()));
      case ReconfigurationTimeoutException e ->
          new Answer(
              Ending.FAILED,
              "it cannot be reached at %s, or it does not catch up (%s); look whether it runs there, was opened with RaftSettings.join and an empty directory, and can be reached from the leader"
                  .formatted(change.address(), e.getMessage()));
      case null -> new Answer(Ending.UNKNOWN, "there was no answer");
      case Throwable other -> new Answer(Ending.UNKNOWN, other.toString());
    };
  }

  private static @Nullable Throwable fault(
      @Nullable RaftClientReply reply, @Nullable Throwable thrown) {
    if (thrown != null) {
      return thrown instanceof CompletionException ? thrown.getCause() : thrown;
    }
    return reply == null ? null : reply.getException();
  }
}
