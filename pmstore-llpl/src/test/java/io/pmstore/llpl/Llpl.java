package io.pmstore.llpl;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
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
   * Opens an engine over a pool of 80 MiB with another pool in between.
   *
   * @param directory of the store
   * @param wrap makes that of the real one
   */
  static LlplEngine open(Path directory, UnaryOperator<LlplPool> wrap) {
    PlatformThread thread = new PlatformThread("wrapped");
    OpenPool open =
        thread.call(
            () -> {
              OpenPool real =
                  OpenPool.open(directory, PmStoreOptions.defaults().llplPoolSize(80 << 20), false);
              LlplPool pool = wrap.apply(real.pool());
              PoolRoot root = PoolRoot.open(pool, real.header(), real.files().pool(), real.arena());
              return new OpenPool(
                  real.files(),
                  real.header(),
                  pool,
                  real.set(),
                  real.growth(),
                  root,
                  real.arena(),
                  real.lock());
            });
    return new LlplEngine(thread, open);
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
