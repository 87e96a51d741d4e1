package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKillTest;
import java.nio.file.Path;

/** Pools on ordinary files. */
class TieredFileKillTest extends EngineKillTest {
  @Override
  protected Engine open(Path directory) {
    return TieredEngine.open(
        directory, PmStoreOptions.defaults().tieredPools(Storage.FILE).tieredPoolSize(4 << 20));
  }
}
