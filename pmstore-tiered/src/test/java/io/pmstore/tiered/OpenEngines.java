package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.medium.PmemMedium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** The engines that a test has open, so that their files can be copied while nothing is spilled. */
final class OpenEngines {
  private final Map<Path, TieredEngine> opened = new ConcurrentHashMap<>();

  TieredEngine open(Path directory, PmStoreOptions options) {
    TieredEngine engine = TieredEngine.open(directory, options);
    opened.put(directory, engine);
    return engine;
  }

  /** Waits until nothing is to be spilled: a copy of one file after the other is no image then. */
  void awaitIdle(Path directory) {
    opened.get(directory).awaitIdle();
  }

  static void assumePersistentMemory() {
    if (!PmemMedium.hasLibrary()) {
      System.err.println("*** PERSISTENT MEMORY IS SKIPPED: libpmem1 is not installed");
      Assumptions.abort("libpmem1 is not installed");
    }
  }

  /** Returns a directory on tmpfs, where there is one. */
  static Path memory() {
    Path shared = Path.of("/dev/shm");
    return Files.isWritable(shared) ? shared : Path.of(System.getProperty("java.io.tmpdir"));
  }
}
