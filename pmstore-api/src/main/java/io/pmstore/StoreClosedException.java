package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store is closed, or if the program uses an object of a closed store. Open the store
 * again and read the object from there.
 *
 * <p>On a replicated store this also happens to the objects of a node whose heap was replaced by a
 * copy of another node's heap. The store itself is open then; read the object from it again.
 */
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
