package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the disk or the pool has no room, or if the heap of a store of {@link Storage#TIERED}
 * does not fit into main memory. Nothing of the transaction was written, and the store remains
 * usable. Free some space, or remove objects and call {@link PmStore#gc()}.
 */
public class StoreFullException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreFullException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
