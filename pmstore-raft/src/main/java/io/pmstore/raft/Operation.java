package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStoreException;
import io.pmstore.ReplicatedMap;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.ReplicationStatus.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.retry.RetryPolicy;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/** What an operator does with a node. Thread-safe. */
final class Operation implements Replication {
  private static final long TRANSFER_MILLIS = 10_000;
  private static final int ATTEMPTS = 50;

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
    String leader = leaderId();
    long committed = division.getRaftLog().getLastCommittedIndex();
    long applied = info.getLastAppliedIndex();
    boolean ready =
        switch (role) {
          case LEADER -> node.leadingTerm() != 0;
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
        members(division));
  }

  /** Returns the role of this node now. */
  Role role() {
    var info = node.division().getInfo();
    return node.hasFailed() || !info.isAlive() ? Role.STOPPED : role(info.getCurrentRole());
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

  private static Map<String, String> members(RaftServer.Division division) {
    Map<String, String> members = new LinkedHashMap<>();
    for (RaftPeer peer : division.getRaftConf().getAllPeers()) {
      members.put(peer.getId().toString(), peer.getAddress());
    }
    return members;
  }

  /** Returns the id of the leader, as far as this node knows, or null. */
  @Nullable String leaderId() {
    RaftPeerId leader = node.division().getInfo().getLeaderId();
    return leader == null || leader.toString().isEmpty() ? null : leader.toString();
  }

  String addressOf(String id) {
    return members(node.division()).getOrDefault(id, "an unknown address");
  }

  @Override
  public ReplicationStatus awaitReady(Duration atMost) {
    long begin = System.nanoTime();
    while (true) {
      ReplicationStatus status = status();
      if (status.ready()) {
        return status;
      }
      if (System.nanoTime() - begin > atMost.toNanos()) {
        throw new NotLeaderException(
            "the node is not ready after %s: %s; look whether a majority of the members runs, and can be reached"
                .formatted(atMost, status),
            status.leader().orElse(null));
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NotLeaderException("interrupted while the node was not ready", null);
      }
    }
  }

  @Override
  public void transferLeadership(String id) {
    node.termToWrite();
    if (!status().members().containsKey(id)) {
      throw unknown(id);
    }
    change(
        client -> client.admin().transferLeadership(RaftPeerId.valueOf(id), TRANSFER_MILLIS),
        "the leadership was not transferred to " + id);
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
    change(members, "the node " + id + " was not removed");
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
    try (RaftClient client = newClient(null, "")) {
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

  /** Returns a client of Ratis that sends each request once. */
  RaftClient newClient() {
    return client(members(node.division()), RetryPolicies.noRetry());
  }

  /**
   * Returns a client of Ratis that repeats what has failed.
   *
   * @param id of a node that it talks to, whether this one knows it already or not; null for all
   * @param address of that node
   */
  RaftClient newClient(@Nullable String id, String address) {
    RaftServer.Division division = node.division();
    Map<String, String> members = members(division);
    if (id != null) {
      members.put(id, address);
    }
    return client(
        members,
        RetryPolicies.retryUpToMaximumCountWithFixedSleep(
            ATTEMPTS, TimeDuration.valueOf(100, TimeUnit.MILLISECONDS)));
  }

  private RaftClient client(Map<String, String> members, RetryPolicy retries) {
    var builder =
        RaftClient.newBuilder()
            .setRaftGroup(RaftGroup.valueOf(node.groupId(), RatisServer.peers(members)))
            .setProperties(RatisServer.clientProperties(settings))
            .setRetryPolicy(retries);
    var parameters = RatisServer.parameters(settings);
    if (parameters != null) {
      builder.setParameters(parameters);
    }
    return builder.build();
  }

  @Override
  public Digest digest() {
    return node.digest();
  }
}
