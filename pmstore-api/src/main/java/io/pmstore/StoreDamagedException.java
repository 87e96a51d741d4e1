package io.pmstore;

import org.jspecify.annotations.Nullable;

/** Bytes of the store are not what was written: a damaged, truncated or foreign part of it. */
public class StoreDamagedException extends PmStoreException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what was found, what was expected, where, and what to do
   */
  public StoreDamagedException(String message) {
    super(message);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param message what was found, what was expected, where, and what to do
   * @param cause what led to it, or null
   */
  public StoreDamagedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
