package io.pmstore.core.engine.mapped;

import java.nio.file.Path;

/** What tests with simulated crashes of the mapped engine have in common. */
abstract class CrashTest extends StoreTest {
  private int runs;

  /** A directory for one run. */
  final Path runDirectory() {
    return directory("run" + runs++);
  }
}
