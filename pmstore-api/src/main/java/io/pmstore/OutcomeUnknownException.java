package io.pmstore;

/**
 * Thrown if the outcome of a transaction, or of another change, of a replicated store is unknown.
 * This node stopped leading, or was closed, before it learned whether a majority of the nodes has
 * the change; or the leader, to which this node had sent the change, did not answer. The change
 * takes effect as a whole on all nodes, perhaps after this exception, or it never does.
 *
 * <p>To find out, read on the new leader, or in a linearizable snapshot on any node that has seen a
 * later change. If a change must not happen twice, read before you repeat it. Java objects that the
 * transaction created are unusable.
 */
public class OutcomeUnknownException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public OutcomeUnknownException(String message) {
    super(message);
  }
}
