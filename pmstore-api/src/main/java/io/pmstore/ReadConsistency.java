package io.pmstore;

/**
 * How new the state is that a snapshot of a replicated store shows. A store that is not replicated
 * has one state and shows it for either value.
 */
public enum ReadConsistency {
  /**
   * A state that has everything that any node had acknowledged before the call. The node asks the
   * leader for the index of its newest entry, and waits until it has applied that entry. Without a
   * majority of the nodes the snapshot fails with {@link NotLeaderException}.
   */
  LINEARIZABLE,

  /**
   * The state that this node has applied. The node asks no other node, so this also works on a node
   * that is cut off, and the state may be old. {@link ReplicationStatus#age} says how old it can
   * be, not counting the lag.
   */
  LOCAL
}
