package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStoreException;
import io.pmstore.core.engine.OutdatedReadsException;
import java.security.SecureRandom;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/** The commits that this node has proposed and whose outcome it does not know yet. Thread-safe. */
final class Proposals {
  private static final System.Logger LOG = System.getLogger(Proposals.class.getName());

  private final Node node;
  private final ClientId clientId = ClientId.randomId();
  private final long maker = new SecureRandom().nextLong();
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentHashMap<Long, Proposal> open = new ConcurrentHashMap<>();
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
    return propose(
        Entry.COMMIT, term, cluster, UnsafeByteOperations.unsafeWrap(record), readsAreCurrent);
  }

  /** Proposes the first entry of a cluster: its id, and the digest of its empty heap. */
  void proposeBirth(long term, UUID cluster, String digest) {
    try {
      propose(Entry.BIRTH, term, cluster, ByteString.copyFromUtf8(digest), () -> true);
    } catch (NotLeaderException | OutcomeUnknownException e) {
      LOG.log(System.Logger.Level.DEBUG, "another node will propose the first entry", e);
    }
  }

  private long propose(
      long kind, long term, UUID cluster, ByteString record, BooleanSupplier readsAreCurrent) {
    long number = numbers.incrementAndGet();
    byte[] entry = new Entry(kind, term, maker, number, cluster, record).encode();
    Proposal proposal = new Proposal(term, entry, readsAreCurrent);
    open.put(number, proposal);
    try {
      submit(UnsafeByteOperations.unsafeWrap(entry), number, proposal);
      if (node.hasEnded()) {
        proposal.doubt("the node was closed", node.isClosing() ? 0 : node.patience());
      }
      return switch (proposal.await()) {
        case COMMITTED -> proposal.position();
        case OUTDATED -> throw new OutdatedReadsException();
        case REFUSED ->
            throw node.leadership()
                .notLeader("a transaction was rolled back: %s".formatted(proposal.reason()));
        default -> throw unknown(proposal);
      };
    } finally {
      open.remove(number, proposal);
    }
  }

  private PmStoreException unknown(Proposal proposal) {
    return new OutcomeUnknownException(
        "the outcome of a transaction is not known, because %s (%s) before a majority of the nodes had confirmed it; read on the leader whether it has happened"
            .formatted(proposal.reason(), node.settings().id()));
  }

  /**
   * Has a thread of this class append an entry to the log, which Ratis may keep waiting: for the
   * log, or, when it closes itself because this node is removed, for the end of that. On a thread
   * of its own pool Ratis would then wait for itself. The proposer's thread may be interrupted,
   * which Ratis takes for a failure of the log.
   */
  private void submit(ByteString entry, long number, Proposal proposal) {
    try {
      threads.execute(
          () -> {
            try {
              CompletableFuture<RaftClientReply> asked =
                  ((RaftClientAsynchronousProtocol) node.division())
                      .submitClientRequestAsync(request(number, entry));
              var _ = asked.whenComplete((reply, thrown) -> replied(proposal, reply, thrown));
            } catch (Throwable t) { // errors too: the proposer waits
              replied(proposal, null, t);
            }
          });
    } catch (RejectedExecutionException e) {
      proposal.refuse("the node was closed");
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
    return entry.maker() == maker ? open.get(entry.number()) : null;
  }

  private @Nullable Proposal of(ByteString entry) {
    return open.get(Entry.numberOf(entry, maker));
  }

  /** Returns true if an entry is one that a transaction of this process waits for. */
  boolean isOpen(ByteString entry) {
    return of(entry) != null;
  }

  /** Called before the log gets an entry, in the order of the log. */
  void appending(ByteString entry) {
    Proposal proposal = of(entry);
    if (proposal != null) {
      proposal.append();
    }
  }

  /** Called for each entry: those of earlier terms that are not applied yet will never be. */
  void passed(long term) {
    for (Proposal each : open.values()) {
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
    List<Proposal> now = List.copyOf(open.values());
    if (!now.isEmpty()) {
      Later.run(
          node.patience(),
          () -> {
            if (open.values().stream().anyMatch(now::contains)) {
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
    for (Proposal each : open.values()) {
      each.doubt(why, node.patience());
    }
  }

  /** Takes no more proposals; those that wait must have been given up. */
  void close() {
    threads.shutdown();
  }
}
