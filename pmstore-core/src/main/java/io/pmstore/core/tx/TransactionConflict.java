package io.pmstore.core.tx;

/**
 * What a transaction has read is no longer current, so its body has to run again. An error, so that
 * bodies that catch exceptions let it pass; one instance without a stack trace, since it is control
 * flow.
 */
final class TransactionConflict extends Error {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("StaticAssignmentOfThrowable") // it carries no state
  static final TransactionConflict INSTANCE = new TransactionConflict();

  private TransactionConflict() {
    super("this transaction runs again; let this error pass", null, false, false);
  }
}
