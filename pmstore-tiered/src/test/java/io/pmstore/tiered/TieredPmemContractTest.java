package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** Pools on tmpfs, emulating persistent memory. */
class TieredPmemContractTest extends EngineContractTest {
  private final OpenEngines engines = new OpenEngines();

  @BeforeAll
  static void available() {
    OpenEngines.assumePersistentMemory();
  }

  @Override
  protected Path parent() {
    return OpenEngines.memory();
  }

  @Override
  protected Engine open(Path directory) {
    return engines.open(
        directory,
        PmStoreOptions.defaults()
            .tieredPools(Storage.PERSISTENT_MEMORY)
            .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN));
  }

  @Override
  protected void copyAsAfterKill(Path from, Path to) throws IOException {
    engines.awaitIdle(from);
    super.copyAsAfterKill(from, to);
  }
}
