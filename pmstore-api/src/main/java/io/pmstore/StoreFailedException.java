package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a write or a sync of the store has failed, if a file that the store maps into memory
 * can no longer be read, or if a node of a replicated store cannot apply an entry of the log or
 * open its copy of another node's heap. The store refuses every further use, reads included, except
 * {@link PmStore#close}. Reopening it recovers every acknowledged transaction as its {@link
 * Durability} promises. Of a transaction that threw this exception, the reopened store has all
 * writes or none.
 */
public class StoreFailedException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreFailedException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
