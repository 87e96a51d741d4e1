package io.pmstore.core.engine;

import io.pmstore.StoreDamagedException;
import java.nio.file.Path;

/** Creates the exception for a store whose bytes the disk cannot read. */
public final class UnreadableStore {
  private UnreadableStore() {}

  /**
   * Returns the exception to throw.
   *
   * @param cause what the read threw
   */
  public static StoreDamagedException exception(Path directory, Throwable cause) {
    return new StoreDamagedException(
        "a part of the store in %s cannot be read: %s; look for errors of the disk, and restore the store from a backup"
            .formatted(directory, cause.getMessage()),
        cause);
  }
}
