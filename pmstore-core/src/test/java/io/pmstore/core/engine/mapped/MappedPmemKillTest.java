package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKillTest;
import java.nio.file.Path;

/** On tmpfs, which emulates persistent memory. */
class MappedPmemKillTest extends EngineKillTest {
  @Override
  protected Engine open(Path directory) {
    return MappedEngine.open(
        directory,
        PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY).logSegmentSize(1 << 20));
  }

  @Override
  protected Path parent() {
    return TestStores.fastParent();
  }

  @Override
  protected int rounds() {
    return 2; // KilledProcessTest and KillImageTest have more
  }
}
