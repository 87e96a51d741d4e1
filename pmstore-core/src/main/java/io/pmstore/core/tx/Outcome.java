package io.pmstore.core.tx;

/** Gets told how a transaction ended, on the transaction's thread. Must not throw. */
public interface Outcome {
  /** The transaction is committed and its changes are visible. */
  default void committed() {}

  /** The transaction, or this attempt at it, is rolled back. */
  default void rolledBack() {}
}
