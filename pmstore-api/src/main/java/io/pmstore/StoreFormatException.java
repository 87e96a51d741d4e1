package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a directory holds no store where one is needed, something that is no store, a store of
 * a format version that this program does not read, or a store of another storage or engine than
 * the options name.
 */
public class StoreFormatException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreFormatException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
