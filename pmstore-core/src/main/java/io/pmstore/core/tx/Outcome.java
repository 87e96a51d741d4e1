package io.pmstore.core.tx;

/** Receives the outcome of a transaction, on the transaction's thread. Must not throw. */
public interface Outcome {
  /** The transaction is committed and its changes are visible. */
  default void committed() {}

  /**
   * The transaction, or this attempt at it, is rolled back. Called again if an error ended the
   * call, such as that of a stack without room.
   */
  default void rolledBack() {}
}
