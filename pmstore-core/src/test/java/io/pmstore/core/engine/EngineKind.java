package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.mapped.MappedEngine;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;

/** Every engine, for tests of what is above the seam. */
public enum EngineKind {
  /** In memory, one commit at a time. */
  MEMORY,
  /** In memory, commits overtaking each other as far as they may. */
  PARALLEL,
  /** Mapped, on ordinary files. */
  FILE,
  /** Mapped, on emulated persistent memory. */
  PERSISTENT_MEMORY,
  /** A PMDK pool, in the modules that depend on pmstore-llpl. */
  LLPL,
  /** A heap in DRAM behind pools of images, in the modules that depend on pmstore-tiered. */
  TIERED;

  /**
   * Opens an engine, or skips the test, loudly, where it cannot be had.
   *
   * @param directory where it is; the engines in memory are new each time
   * @return the engine
   */
  public Engine open(Path directory) {
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .logSegmentSize(1 << 20)
            .llplPoolSize(128L << 20)
            .tieredPoolSize(8L << 20);
    try {
      return switch (this) {
        case MEMORY -> new MemoryEngine();
        case PARALLEL -> new ParallelEngine();
        case FILE -> MappedEngine.open(directory, options.storage(Storage.FILE));
        case PERSISTENT_MEMORY ->
            MappedEngine.open(directory, options.storage(Storage.PERSISTENT_MEMORY));
        case LLPL -> provider(Storage.LLPL).open(directory, options.storage(Storage.LLPL));
        case TIERED -> provider(Storage.TIERED).open(directory, options.storage(Storage.TIERED));
      };
    } catch (PmStoreException e) {
      if (e.getMessage().contains("libpmem")) {
        System.err.println("*** " + this + " IS SKIPPED: " + e.getMessage());
        Assumptions.abort(e.getMessage());
      }
      throw e;
    }
  }

  private static EngineProvider provider(Storage storage) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.storages().contains(storage))
        .findFirst()
        .orElseThrow();
  }
}
