package io.pmstore.core.tx;

/**
 * Thrown if the reads of a transaction are no longer current, so that its body has to run again. It
 * is an error, so that bodies that catch exceptions do not catch it. There is one instance without
 * a stack trace, because it is control flow.
 */
final class TransactionConflict extends Error {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("StaticAssignmentOfThrowable") // it carries no state
  static final TransactionConflict INSTANCE = new TransactionConflict();

  private TransactionConflict() {
    super("this transaction runs again; let this error pass", null, false, false);
  }
}
