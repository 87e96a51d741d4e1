package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStoreException;
import io.pmstore.core.engine.OutdatedReadsException;
import io.pmstore.raft.Proposal.Share;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * Proposes the commits of this node to the other nodes, and waits for their outcomes. Thread-safe.
 */
final class Proposals {
  private static final System.Logger LOG = System.getLogger(Proposals.class.getName());

  private static final int WAIT_MICROS_MAX = 2_000;

  private final Node node;

  /** Thrown if there is no memory or stack for another one: an error would be a roll-back. */
  private final OutcomeUnknownException unknownWithoutReason =
      new OutcomeUnknownException(
          "the outcome of a transaction is not known, and there was no memory or stack to say why;"
              + " read on the leader whether it has happened");

  private final ClientId clientId = ClientId.randomId();
  private final long maker = new SecureRandom().nextLong();
  private final EntryQueue queue =
      new EntryQueue(TimeUnit.MICROSECONDS.toNanos(WAIT_MICROS_MAX), this::submit);
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("pmstore-raft-propose-", 0).factory());

  Proposals(Node node) {
    this.node = node;
  }

  /**
   * Proposes a transaction's write set to the others.
   *
   * @param term in which the transaction was validated
   * @param readsAreCurrent asked when the entry gets its place in the log
   * @return its position, when a majority has it and the heap here shows it
   * @throws NotLeaderException if it was rolled back on all nodes
   * @throws OutcomeUnknownException if that is not known
   */
  long propose(long term, byte[] record, BooleanSupplier readsAreCurrent) {
    UUID cluster = node.guard().cluster();
    if (cluster == null) {
      throw node.leadership().notLeader("the first entry of the cluster is not written yet");
    }
    return propose(Entry.COMMIT, term, cluster, new Share(record, readsAreCurrent));
  }

  /** Proposes the first entry of a cluster: its id, and the digest of its empty heap. */
  void proposeBirth(long term, UUID cluster, String digest) {
    try {
      Share share = new Share(digest.getBytes(StandardCharsets.UTF_8), () -> true);
      propose(Entry.BIRTH, term, cluster, share);
    } catch (NotLeaderException | OutcomeUnknownException e) {
      LOG.log(System.Logger.Level.DEBUG, "another node will propose the first entry", e);
    }
  }

  private long propose(long kind, long term, UUID cluster, Share share) {
    Proposal proposal;
    Proposal.State outcome;
    long position;
    try {
      proposal = queue.join(kind, term, cluster, share);
      if (node.hasEnded()) {
        proposal.doubt("the node was closed", node.isClosing() ? 0 : node.patience());
      }
      outcome = proposal.await(share);
      position = proposal.position();
    } catch (OutdatedReadsException e) {
      throw e;
    } catch (Throwable t) { // the end of the stack, say: the caller rolls the transaction back
      boolean isWithdrawn = false;
      try {
        isWithdrawn = share.withdraw();
      } finally {
        if (!isWithdrawn) {
          queue.lost = true; // no call, which could fail too
        }
      }
      throw t;
    }
    switch (outcome) {
      case COMMITTED -> {
        return position;
      }
      case REFUSED ->
          throw node.leadership()
              .notLeader("a transaction was rolled back: %s".formatted(proposal.reason()));
      default -> {
        try {
          throw unknown(proposal);
        } catch (VirtualMachineError e) {
          throw unknownWithoutReason;
        }
      }
    }
  }

  private PmStoreException unknown(Proposal proposal) {
    return new OutcomeUnknownException(
        "the outcome of a transaction is not known, because %s (%s) before a majority of the nodes had confirmed it; read on the leader whether it has happened"
            .formatted(proposal.reason(), node.settings().id()));
  }

  // ---- the way of an entry

  /**
   * Has a thread of this class append an entry to the log, which Ratis may keep waiting: for the
   * log, or, when it closes itself because this node is removed, for the end of that. On a thread
   * of its own pool Ratis would then wait for itself. The proposer's thread may be interrupted,
   * which Ratis takes for a failure of the log.
   */
  private void submit(Proposal proposal) {
    try {
      threads.execute(
          () -> {
            try {
              ByteString entry = UnsafeByteOperations.unsafeWrap(proposal.seal(maker));
              CompletableFuture<RaftClientReply> asked =
                  ((RaftClientAsynchronousProtocol) node.division())
                      .submitClientRequestAsync(request(proposal.number(), entry));
              var _ = asked.whenComplete((reply, thrown) -> replied(proposal, reply, thrown));
            } catch (Throwable t) { // errors too: the proposers wait
              replied(proposal, null, t);
            }
          });
    } catch (RejectedExecutionException e) {
      proposal.refuse("the node was closed");
    } catch (OutOfMemoryError e) { // for a thread: this proposal is not the calling thread's
      proposal.refuse("there is no memory for a thread");
    }
  }

  private RaftClientRequest request(long number, ByteString entry) {
    return RaftClientRequest.newBuilder()
        .setClientId(clientId)
        .setServerId(node.server().getId())
        .setGroupId(node.groupId())
        .setCallId(number)
        .setMessage(Message.valueOf(entry))
        .setType(RaftClientRequest.writeRequestType())
        .build();
  }

  /** Called when Ratis has answered. The heap changes when the entry is applied, not before. */
  private void replied(
      Proposal proposal, @Nullable RaftClientReply reply, @Nullable Throwable thrown) {
    if (thrown == null && reply != null && reply.isSuccess()) {
      return;
    }
    String why =
        thrown != null
            ? thrown.toString()
            : reply == null ? "there was no answer" : String.valueOf(reply.getException());
    if (proposal.isAppended()) {
      proposal.doubt(why, node.patience());
    } else {
      proposal.refuse(why);
    }
  }

  /**
   * Returns the proposal that an entry comes from, if a transaction of this process waits for it.
   */
  @Nullable Proposal of(Entry entry) {
    return entry.maker() == maker ? queue.find(entry.number()) : null;
  }

  /** Returns the proposal with an entry that is about to get its place in the log; null if none. */
  @Nullable Proposal of(ByteString entry) {
    return queue.find(Entry.numberOf(entry, maker));
  }

  /** Called for each entry: those of earlier terms that are not applied yet will never be. */
  void passed(long term) {
    for (Proposal each : queue.all()) {
      if (each.term() < term) {
        each.refuse(Proposal.TOO_LATE);
      }
    }
  }

  /**
   * Something waits for the commits that are on their way now. Runs an action if one of them still
   * is after a while.
   */
  void whenStuck(Runnable action) {
    List<Proposal> now = List.copyOf(queue.all());
    if (!now.isEmpty()) {
      Later.run(
          node.patience(),
          () -> {
            if (queue.all().stream().anyMatch(now::contains)) {
              action.run();
            }
          });
    }
  }

  /**
   * Has the waiting transactions give up after a while. The caller ensures that this node does not
   * lead in their term any more: a later transaction of that term would not have seen their
   * changes, and its entry would come after theirs in the log.
   */
  void giveUp(String why) {
    queue.waiting().forEach(each -> each.doubt(why, 0));
    for (Proposal each : queue.all()) {
      each.doubt(why, node.patience());
    }
  }

  /** Notes that the heap has a transaction which its thread takes for rolled back. */
  void lose() {
    queue.lost = true;
  }

  /** Returns true if an error has left a transaction in doubt, so that the node has failed. */
  boolean isLost() {
    return queue.lost;
  }

  /** Takes no more proposals; those that wait must have been given up. */
  void close() {
    threads.shutdown();
  }
}
