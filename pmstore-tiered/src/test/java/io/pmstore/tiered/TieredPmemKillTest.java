package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKillTest;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** Pools on tmpfs, emulating persistent memory. */
class TieredPmemKillTest extends EngineKillTest {
  @BeforeAll
  static void available() {
    OpenEngines.assumePersistentMemory();
  }

  @Override
  protected Engine open(Path directory) {
    return TieredEngine.open(
        directory,
        PmStoreOptions.defaults().tieredPools(Storage.PERSISTENT_MEMORY).tieredPoolSize(4 << 20));
  }

  @Override
  protected Path parent() {
    return OpenEngines.memory();
  }
}
