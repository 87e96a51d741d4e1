package io.pmstore;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call needs the leader of a replicated store and this node does not lead, or reaches
 * no leader. The call changed nothing: a transaction that throws this exception was rolled back on
 * all nodes.
 *
 * <p>Run the call on the node that {@link #leader} names. While the nodes elect a leader, no node
 * is named; try again after the election.
 */
public class NotLeaderException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /** The id of the node that leads, as far as this node knew; null if it knew of none. */
  private final @Nullable String leader;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param leader the id of the node that leads as far as this node knows; null if it knows of none
   */
  public NotLeaderException(String message, @Nullable String leader) {
    super(message);
    this.leader = leader;
  }

  /**
   * Returns the node that led, as far as this node knew, when the exception was created.
   *
   * @return the id of the node, or empty if this node knows of no leader
   */
  public Optional<String> leader() {
    return Optional.ofNullable(leader);
  }
}
