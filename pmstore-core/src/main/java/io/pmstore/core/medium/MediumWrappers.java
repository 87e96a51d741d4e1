package io.pmstore.core.medium;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * What a test puts around the medium of a directory, to see each change of the files. Empty in
 * programs. Thread-safe.
 */
public final class MediumWrappers {
  private static final Map<Path, UnaryOperator<Medium>> WRAPPERS = new ConcurrentHashMap<>();

  private MediumWrappers() {}

  /**
   * Wraps the medium of each store of {@link io.pmstore.Storage#FILE} that is opened for writing in
   * a directory from now on.
   *
   * @param directory of the store
   * @param wrapper returns a medium around the one that it gets
   */
  public static void put(Path directory, UnaryOperator<Medium> wrapper) {
    WRAPPERS.put(key(directory), wrapper);
  }

  /** Ends {@link #put} for stores that are opened later. */
  public static void remove(Path directory) {
    WRAPPERS.remove(key(directory));
  }

  /** Returns the medium to use for a directory: what a wrapper makes of one, or that one. */
  public static Medium wrap(Path directory, Medium medium) {
    return WRAPPERS.isEmpty()
        ? medium
        : WRAPPERS.getOrDefault(key(directory), UnaryOperator.identity()).apply(medium);
  }

  private static Path key(Path directory) {
    return directory.toAbsolutePath().normalize();
  }
}
