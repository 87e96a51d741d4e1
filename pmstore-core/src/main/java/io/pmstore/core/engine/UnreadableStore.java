package io.pmstore.core.engine;

import io.pmstore.StoreDamagedException;
import java.nio.file.Path;

/** What is said of a store whose bytes the disk does not give. */
public final class UnreadableStore {
  private UnreadableStore() {}

  /**
   * Makes the exception to throw.
   *
   * @param directory of the store
   * @param cause what reading threw
   * @return what to throw
   */
  public static StoreDamagedException exception(Path directory, Throwable cause) {
    return new StoreDamagedException(
        "a part of the store in %s cannot be read: %s; look for errors of the disk, and restore the store from a backup"
            .formatted(directory, cause.getMessage()),
        cause);
  }
}
