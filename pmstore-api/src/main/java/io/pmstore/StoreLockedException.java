package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store cannot be opened because this or another process has it open. The message names
 * the process if it is known.
 */
public class StoreLockedException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreLockedException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreLockedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
