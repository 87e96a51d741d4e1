package io.pmstore;

/**
 * How new the state is that a snapshot of a replicated store shows. A store that is not replicated
 * has one state, and shows it whichever is chosen.
 */
public enum ReadConsistency {
  /**
   * Everything that any node had acknowledged before the call. The node asks the leader for the
   * newest change, and waits until it has applied it. Without a majority of the nodes that fails
   * with {@link NotLeaderException}.
   */
  LINEARIZABLE,

  /**
   * What this node has applied, without asking any other one: it works on a node that is cut off,
   * and may show an old state. {@link ReplicationStatus#age} says how old it may be at most.
   */
  LOCAL
}
