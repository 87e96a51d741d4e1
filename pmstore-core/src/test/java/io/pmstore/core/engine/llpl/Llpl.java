package io.pmstore.core.engine.llpl;

import io.pmstore.PmStoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where LLPL's tests run, and whether they can. */
final class Llpl {
  private Llpl() {}

  /** Skips the test, loudly, where the native libraries cannot be had. */
  static void assumeAvailable() {
    try {
      NativeLibraries.load();
    } catch (PmStoreException e) {
      System.err.println("*** LLPL TESTS ARE SKIPPED: " + e.getMessage());
      Assumptions.abort(e.getMessage());
    }
  }

  /**
   * A directory in memory, emulating persistent memory; where there is none, on the ordinary disk.
   */
  static Path memory() {
    Path shm = Path.of("/dev/shm");
    return Files.isWritable(shm) ? shm : disk();
  }

  static Path disk() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}
