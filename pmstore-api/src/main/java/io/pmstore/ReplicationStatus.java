package io.pmstore;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one node of a replicated store knows about itself and the others, at one moment. Immutable.
 *
 * @param id the id of this node
 * @param role the role of this node
 * @param ready true on a leader that runs transactions, and on a follower that has applied what was
 *     committed when it asked its present leader, and everything that it knows to be committed. A
 *     follower asks after its start, and when it learns of another leader
 * @param leader the id of the node that leads, as far as this node knows; empty if it knows of none
 * @param term the number of the present term of Raft; each election begins a later term
 * @param committed the index of the last entry that this node knows to be on a majority of nodes;
 *     -1 before the first entry
 * @param applied the index of the last entry that this node has applied; -1 before the first entry.
 *     The difference to {@code committed} is the lag
 * @param age an upper bound of the time since this node last heard from the leader; zero on the
 *     leader. The state that a {@linkplain ReadConsistency#LOCAL local} snapshot shows is at most
 *     that old, not counting the lag
 * @param members the address of each node by its id, as {@code host:port}; unmodifiable
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

  /** The role of a node among the others. */
  public enum Role {
    /** The node runs the transactions. */
    LEADER,
    /** The node applies what the leader has committed. */
    FOLLOWER,
    /** The node knows of no leader, and asks for votes. */
    CANDIDATE,
    /** The node has failed, or it has stopped taking part. */
    STOPPED
  }

  /** Copies the map. */
  public ReplicationStatus {
    members = Map.copyOf(members);
  }
}
