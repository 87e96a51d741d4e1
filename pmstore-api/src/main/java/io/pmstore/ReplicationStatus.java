package io.pmstore;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one node of a replicated store knows about itself and the others, at one moment.
 *
 * @param id of this node
 * @param role of this node
 * @param ready true on a leader that runs transactions, and on a follower that knows its leader and
 *     has applied everything that it knows to be committed
 * @param leader the id of the node that leads as far as this node knows, or empty
 * @param term the number of the present term; each election begins a later one
 * @param committed the index of the last entry that this node knows to be on a majority of nodes;
 *     -1 before the first one
 * @param applied the index of the last entry that this node has applied; -1 before the first one.
 *     The difference to {@code committed} is the lag
 * @param age how long ago the leader was last heard, at most; so how old what a {@linkplain
 *     ReadConsistency#LOCAL local} snapshot shows may be, not counting the lag; zero on the leader
 * @param members the addresses of all nodes by their ids, {@code host:port}, unmodifiable
 */
public record ReplicationStatus(
    String id,
    Role role,
    boolean ready,
    Optional<String> leader,
    long term,
    long committed,
    long applied,
    Duration age,
    Map<String, String> members) {

  /** What a node does among the others. */
  public enum Role {
    /** Runs the transactions. */
    LEADER,
    /** Applies what the leader has committed. */
    FOLLOWER,
    /** Knows of no leader, and asks for votes. */
    CANDIDATE,
    /** Is closed, or has failed. */
    STOPPED
  }

  /** Copies the map. */
  public ReplicationStatus {
    members = Map.copyOf(members);
  }
}
