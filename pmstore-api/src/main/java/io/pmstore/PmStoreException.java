package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * The superclass of the exceptions of stores. Where a store throws this class itself, the message
 * has the reason.
 *
 * <p>Each message says what was found, what was expected, where, and what to do next.
 */
public class PmStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public PmStoreException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public PmStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
