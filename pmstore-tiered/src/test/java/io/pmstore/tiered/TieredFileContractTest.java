package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import java.io.IOException;
import java.nio.file.Path;

/** Pools on ordinary files, so small that they rotate all the time. */
class TieredFileContractTest extends EngineContractTest {
  private final OpenEngines engines = new OpenEngines();

  @Override
  protected Engine open(Path directory) {
    return engines.open(
        directory,
        PmStoreOptions.defaults()
            .tieredPools(Storage.FILE)
            .tieredPoolSize(PmStoreOptions.TIERED_POOL_SIZE_MIN));
  }

  @Override
  protected void copyAsAfterKill(Path from, Path to) throws IOException {
    engines.awaitIdle(from);
    super.copyAsAfterKill(from, to);
  }
}
