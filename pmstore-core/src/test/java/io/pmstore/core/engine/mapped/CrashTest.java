package io.pmstore.core.engine.mapped;

import java.nio.file.Path;

/** Support for tests with simulated crashes of the mapped engine. */
abstract class CrashTest extends StoreTest {
  private int runs;

  /** A directory for one run. */
  final Path runDirectory() {
    return directory("run" + runs++);
  }
}
