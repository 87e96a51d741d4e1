package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the program uses an object whose transaction was rolled back, so that the object does
 * not exist. A transaction also throws it, and is rolled back, if its body caught an exception that
 * had left a transaction inside it.
 */
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
