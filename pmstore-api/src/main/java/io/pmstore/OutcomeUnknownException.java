package io.pmstore;

/**
 * The outcome of a transaction, or of another change, of a replicated store is unknown: this node
 * stopped being the leader, or was closed, before it learned whether a majority of the nodes has
 * the change. Either the change happens as a whole on all nodes, perhaps after this exception, or
 * it never happens.
 *
 * <p>The program finds out by reading: on the new leader, or in a linearizable snapshot on any node
 * once that has seen a later change. Do not repeat a change that must not happen twice without
 * reading first. Java objects that the transaction created cannot be used any more.
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
