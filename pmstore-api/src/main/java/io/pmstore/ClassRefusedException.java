package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store cannot keep objects of a class, or cannot read those that it has. The message
 * names the class, the member and what to change.
 */
public class ClassRefusedException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public ClassRefusedException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public ClassRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
