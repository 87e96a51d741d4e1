package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStoreException;
import io.pmstore.ReplicatedMap;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.ReplicationStatus.Role;
import io.pmstore.StoreClosedException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.rpc.CallId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/** Implements the operations of {@link Replication} for one node. Thread-safe. */
final class Operation implements Replication {
  private static final System.Logger LOG = System.getLogger(Operation.class.getName());
  private static final long TRANSFER_MILLIS = 10_000;

  /**
   * How often {@link #awaitReady} looks. Ratis notes what is committed and applied without telling.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Node node;
  private final RaftSettings settings;
  private volatile long heardAt = System.nanoTime();

  Operation(Node node, RaftSettings settings) {
    this.node = node;
    this.settings = settings;
  }

  Node node() {
    return node;
  }

  @Override
  public ReplicationStatus status() {
    node.checkOpen();
    RaftServer.Division division = node.division();
    var info = division.getInfo();
    Role role = role();
    String leader = node.leadership().leaderId();
    long committed = division.getRaftLog().getLastCommittedIndex();
    long applied = info.getLastAppliedIndex();
    boolean ready =
        switch (role) {
          case LEADER -> node.leadership().term() != 0;
          case FOLLOWER -> leader != null && applied >= committed && node.catchUp().isDone();
          default -> false;
        };
    return new ReplicationStatus(
        settings.id(),
        role,
        ready,
        Optional.ofNullable(leader),
        info.getCurrentTerm(),
        committed,
        applied,
        age(info, role, leader),
        node.peers().members());
  }

  /** Returns the role of this node now. */
  Role role() {
    var info = node.division().getInfo();
    return node.failure() != null || !info.isAlive() ? Role.STOPPED : role(info.getCurrentRole());
  }

  private static Role role(RaftPeerRole role) {
    return switch (role) {
      case LEADER -> Role.LEADER;
      case CANDIDATE -> Role.CANDIDATE;
      default -> Role.FOLLOWER;
    };
  }

  /** Ratis forgets when it has heard of a leader once it knows of none. */
  private Duration age(DivisionInfo info, Role role, @Nullable String leader) {
    long now = System.nanoTime();
    var proto = info.getRoleInfoProto();
    if (role == Role.LEADER) {
      heardAt = now;
    } else if (leader != null && proto.hasFollowerInfo()) {
      long elapsed = proto.getFollowerInfo().getLeaderInfo().getLastRpcElapsedTimeMs();
      heardAt = now - TimeUnit.MILLISECONDS.toNanos(elapsed);
    }
    return Duration.ofNanos(now - heardAt);
  }

  /** Notes that this node has just had to do with a leader. */
  void heard() {
    heardAt = System.nanoTime();
  }

  @Override
  public ReplicationStatus awaitReady(Duration atMost) {
    long begin = System.nanoTime();
    node.checkOpen();
    long logEnd = logEnd();
    try {
      while (true) {
        ReplicationStatus status = status();
        long left = atMost.toNanos() - (System.nanoTime() - begin);
        if (status.ready()) {
          return status;
        }
        if (status.role() == Role.STOPPED) {
          throw node.stopped("the node is not ready");
        }
        if (left <= 0) {
          throw new NotLeaderException(
              "the node is not ready after %s: %s; %s"
                  .formatted(atMost, status, adviceIfNotReady(status, atMost, logEnd)),
              status.leader().orElse(null));
        }
        node.applier().awaitSign(Math.min(left, LOOK_NANOS));
      }
    } catch (InterruptedException e) {
      throw Node.interrupted("interrupted while the node was not ready");
    }
  }

  /**
   * Returns the last entry of the log, or -1 if Ratis has closed that, as it does when it stops.
   */
  private long logEnd() {
    try {
      return node.division().getRaftLog().getNextIndex() - 1;
    } catch (IllegalStateException e) {
      return -1;
    }
  }

  private String adviceIfNotReady(ReplicationStatus status, Duration waited, long logEndBefore) {
    String refusal = node.guard().lastRefusal();
    if (refusal != null) {
      return refusal;
    }
    if (node.install().isWaiting()) {
      return "a copy of the leader's heap is here, and waits until no snapshot, backup or digest of"
          + " this node is open; keep these short, or pause between them";
    }
    long wanted = node.catchUp().lacked();
    if (wanted >= 0
        && status.leader().isPresent()
        && waited.compareTo(settings.electionTimeout().multipliedBy(2)) >= 0
        && logEnd() == logEndBefore
        && !node.install().isMaking()) {
      return ("the leader %s answers, and has the entry %d, but this node gets nothing after the"
              + " entry %d: so it is if its directory was emptied, or an old copy put in its place."
              + " Close it, and replace it by a new node under another id, as docs/replication.md"
              + " says under \"A node is lost\"")
          .formatted(status.leader().orElseThrow(), wanted, logEndBefore);
    }
    return "look whether a majority of the members runs and can be reached at these addresses,"
        + " whether one of them logs that it refuses this node, whether another node was"
        + " opened under its id, and whether "
        + (settings.hasTls()
            ? "all of them use TLS, as this node does, and each has a certificate of a CA that the"
                + " others trust, which names its host and is valid now"
            : "none of them uses TLS, as this node does not");
  }

  @Override
  public void transferLeadership(String id) {
    node.checkOpen();
    node.leadership().termToWrite();
    Map<String, String> members = node.peers().members();
    if (!members.containsKey(id)) {
      throw new IllegalArgumentException(
          "there is no node %s; the members are %s".formatted(id, members));
    }
    transfer(id);
  }

  /** Makes another node the leader in the place of this one. */
  void transfer(String id) {
    try {
      RaftClientReply reply =
          node.server().transferLeadership(transferRequest(RaftPeerId.valueOf(id)));
      if (!reply.isSuccess()) {
        throw notTransferred(id, reply.getException());
      }
    } catch (IOException e) {
      throw notTransferred(id, e);
    }
  }

  private static PmStoreException notTransferred(String id, Exception why) {
    return new PmStoreException(
        "the leadership was not transferred to %s: %s; look at the status of that node, and try again"
            .formatted(id, why),
        why);
  }

  private TransferLeadershipRequest transferRequest(@Nullable RaftPeerId to) {
    return new TransferLeadershipRequest(
        ClientId.randomId(),
        node.server().getId(),
        node.groupId(),
        CallId.getAndIncrement(),
        to,
        TRANSFER_MILLIS);
  }

  /** Asks Ratis that this node stop leading. The nodes elect one whose log is as new as any. */
  void stepDown(String why) {
    LOG.log(System.Logger.Level.INFO, settings.id() + " stops leading: " + why);
    try {
      var _ =
          node.server()
              .transferLeadershipAsync(transferRequest(null))
              .whenComplete(
                  (reply, thrown) -> {
                    if (thrown != null || !reply.isSuccess()) {
                      LOG.log(
                          System.Logger.Level.WARNING,
                          settings.id() + " did not stop leading: " + reply,
                          thrown);
                    }
                  });
    } catch (IOException | StoreClosedException e) {
      LOG.log(System.Logger.Level.DEBUG, settings.id() + " has ended", e);
    }
  }

  @Override
  public void addMember(String id, String address) {
    node.checkOpen();
    RaftSettings.node(id); // checks it
    node.members().change(MemberChange.adding(id, Addresses.checked(address)));
  }

  @Override
  public void removeMember(String id) {
    node.checkOpen();
    node.members().change(MemberChange.removing(id));
  }

  @Override
  public ReplicatedMap map(String name) {
    return node.maps().map(name);
  }

  @Override
  public Digest digest() {
    return node.copies().digest();
  }
}
