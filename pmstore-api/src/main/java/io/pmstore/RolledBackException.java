package io.pmstore;

import org.jspecify.annotations.Nullable;

/** The program used an object whose transaction was rolled back, so it does not exist. */
public class RolledBackException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public RolledBackException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public RolledBackException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
