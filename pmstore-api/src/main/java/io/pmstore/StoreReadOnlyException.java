package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call would change a store that is open for reading only ({@link
 * PmStoreOptions#readOnly}). Nothing was changed.
 */
public class StoreReadOnlyException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreReadOnlyException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreReadOnlyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
