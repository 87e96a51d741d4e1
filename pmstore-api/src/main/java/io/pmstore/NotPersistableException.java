package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store cannot keep a value. The value is neither of a value type nor of a persistent
 * class, belongs to another store, or is a plain object that was changed after its conversion. The
 * message has the path to the value. The store writes no part of it.
 */
public class NotPersistableException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public NotPersistableException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public NotPersistableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
