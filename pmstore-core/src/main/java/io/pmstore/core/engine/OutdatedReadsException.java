package io.pmstore.core.engine;

/**
 * Thrown by an engine when {@link WriteSet#readsAreCurrent} has said no: the commit has not
 * happened, and its transaction runs again. Without a stack trace, since it is control flow.
 */
public final class OutdatedReadsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OutdatedReadsException() {
    super("what the transaction has read is no longer current", null, false, false);
  }
}
