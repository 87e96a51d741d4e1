package io.pmstore.core.medium;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The wrappers that tests put around the media of directories, to observe each change of the files.
 * Empty in programs. Thread-safe.
 */
public final class MediumWrappers {
  private static final Map<Path, UnaryOperator<Medium>> WRAPPERS = new ConcurrentHashMap<>();

  private MediumWrappers() {}

  /**
   * Wraps each medium that a store opened for writing has in a directory from now on. A store of
   * {@link io.pmstore.Storage#TIERED} may have two in one: its pools can be on persistent memory. A
   * store of {@link io.pmstore.Storage#LLPL} has none.
   *
   * @param directory of the store, or of its pools or spills
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
