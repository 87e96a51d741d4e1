package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKillTest;
import java.nio.file.Path;

/** On ordinary files. */
class MappedFileKillTest extends EngineKillTest {
  @Override
  protected Engine open(Path directory) {
    return MappedEngine.open(
        directory, PmStoreOptions.defaults().storage(Storage.FILE).logSegmentSize(1 << 20));
  }

  @Override
  protected int rounds() {
    return 2; // KilledProcessTest and KillImageTest have more
  }
}
