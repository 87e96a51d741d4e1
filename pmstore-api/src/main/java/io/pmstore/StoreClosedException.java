package io.pmstore;

import org.jspecify.annotations.Nullable;

/** The store is closed, or the object that the program used belongs to a closed store. */
public class StoreClosedException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreClosedException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
