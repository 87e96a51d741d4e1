package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a transaction wrote more than the store's log or pool can hold, or than the Java heap
 * has room for; in a replicated store, more than 16 MiB. Before-images that open snapshots need
 * take room in the Java heap, too. Nothing of the transaction was written, and the store remains
 * usable. Split the transaction, or do what the message says.
 */
public class TransactionTooLargeException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public TransactionTooLargeException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public TransactionTooLargeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
