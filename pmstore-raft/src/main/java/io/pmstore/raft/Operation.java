package io.pmstore.raft;

import static java.util.Objects.requireNonNull;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStoreException;
import io.pmstore.ReplicatedMap;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.ReplicationStatus.Role;
import io.pmstore.StoreClosedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
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
    RaftServer.Division division = node.division();
    var info = division.getInfo();
    Role role = role();
    String leader = node.leadership().leaderId();
    long committed = division.getRaftLog().getLastCommittedIndex();
    long applied = info.getLastAppliedIndex();
    boolean ready =
        switch (role) {
          case LEADER -> node.leadership().term() != 0;
          case FOLLOWER -> leader != null && applied >= committed;
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
    try {
      while (true) {
        ReplicationStatus status = status();
        long left = atMost.toNanos() - (System.nanoTime() - begin);
        if (status.ready()) {
          return status;
        }
        if (left <= 0) {
          throw new NotLeaderException(
              "the node is not ready after %s: %s; %s"
                  .formatted(atMost, status, adviceIfNotReady()),
              status.leader().orElse(null));
        }
        node.applier().awaitSign(Math.min(left, LOOK_NANOS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotLeaderException("interrupted while the node was not ready", null);
    }
  }

  private String adviceIfNotReady() {
    String refusal = node.guard().lastRefusal();
    return refusal == null
        ? "look whether a majority of the members runs, and can be reached"
        : refusal;
  }

  @Override
  public void transferLeadership(String id) {
    node.leadership().termToWrite();
    if (!status().members().containsKey(id)) {
      throw unknown(id);
    }
    transfer(id);
  }

  private void transfer(String id) {
    change(
        client -> client.admin().transferLeadership(RaftPeerId.valueOf(id), TRANSFER_MILLIS),
        "the leadership was not transferred to " + id);
  }

  /** Asks Ratis that this node stop leading. The nodes elect one whose log is as new as any. */
  void stepDown(String why) {
    LOG.log(System.Logger.Level.INFO, settings.id() + " stops leading: " + why);
    try {
      TransferLeadershipRequest request =
          new TransferLeadershipRequest(
              ClientId.randomId(), node.server().getId(), node.groupId(), 1, null, TRANSFER_MILLIS);
      var _ =
          node.server()
              .transferLeadershipAsync(request)
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

  private IllegalArgumentException unknown(String id) {
    return new IllegalArgumentException(
        "there is no node %s; the members are %s".formatted(id, status().members()));
  }

  @Override
  public void addMember(String id, String address) {
    Map<String, String> members = new LinkedHashMap<>(status().members());
    if (members.putIfAbsent(id, Addresses.checked(address)) != null) {
      throw new IllegalArgumentException(
          "there is a node %s already, at %s".formatted(id, members.get(id)));
    }
    RaftSettings.node(id); // checks it
    change(members, "the node " + id + " was not added");
  }

  @Override
  public void removeMember(String id) {
    Map<String, String> members = new LinkedHashMap<>(status().members());
    if (members.remove(id) == null) {
      throw unknown(id);
    }
    if (members.isEmpty()) {
      throw new IllegalArgumentException(
          "%s is the only node; close the store instead".formatted(id));
    }
    if (id.equals(node.leadership().leaderId())) {
      transferToOneOf(members.keySet());
    }
    change(members, "the node " + id + " was not removed");
  }

  /**
   * Ratis lets a leader that is removed hold all requests up, and then stop without a successor.
   */
  private void transferToOneOf(Set<String> ids) {
    List<String> candidates = new ArrayList<>(ids);
    if (candidates.remove(settings.id())) {
      candidates.addFirst(settings.id()); // which can be reached
    }
    PmStoreException failed = null;
    for (String each : candidates) {
      try {
        transfer(each);
        return;
      } catch (PmStoreException e) {
        failed = e;
      }
    }
    throw requireNonNull(failed);
  }

  private void change(Map<String, String> members, String failed) {
    List<RaftPeer> peers = new ArrayList<>(RatisServer.peers(members));
    change(client -> client.admin().setConfiguration(peers), failed);
  }

  /** A request of an operator. */
  private interface Request {
    RaftClientReply send(RaftClient client) throws IOException;
  }

  private void change(Request request, String failed) {
    try (RaftClient client = node.peers().newClient()) {
      RaftClientReply reply = request.send(client);
      if (!reply.isSuccess()) {
        throw new PmStoreException(
            "%s: %s; look at the status of the nodes, and try again"
                .formatted(failed, reply.getException()),
            reply.getException());
      }
    } catch (IOException e) {
      throw new PmStoreException(
          "%s: %s; look at the status of the nodes, and try again".formatted(failed, e), e);
    }
  }

  @Override
  public ReplicatedMap map(String name) {
    return node.maps().map(name);
  }

  @Override
  public Digest digest() {
    return node.digest();
  }
}
