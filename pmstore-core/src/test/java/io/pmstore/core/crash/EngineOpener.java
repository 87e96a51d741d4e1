package io.pmstore.core.crash;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.medium.Medium;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;

/** Opens the engine under test on a medium. */
@FunctionalInterface
public interface EngineOpener {
  /**
   * Opens it; makes a store if there is none.
   *
   * @param medium what it writes to
   * @param directory a real directory with the same names of files, for its lock
   * @param threads makes the threads that it works with
   * @return the engine
   */
  Engine open(Medium medium, Path directory, ThreadFactory threads);
}
