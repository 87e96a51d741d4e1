package io.pmstore.core.tx;

/**
 * What wants to know how a transaction ended. Called on the transaction's thread; must not throw.
 */
public interface Outcome {
  /** The transaction is committed and its changes are visible. */
  void committed();

  /** The transaction, or this attempt at it, is rolled back. */
  void rolledBack();
}
