package io.pmstore;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if bytes of the store are not what pmstore wrote: a part of the store is damaged,
 * truncated or of another store.
 *
 * <p>A transaction that would change a damaged page throws this exception, and so does every later
 * transaction that writes, because a new checksum would hide the damage. The program can still read
 * and close the store, which keeps everything that was acknowledged before. {@link PmStore#verify}
 * lists the damage.
 */
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
