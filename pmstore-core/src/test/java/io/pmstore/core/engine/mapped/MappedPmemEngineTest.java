package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import java.nio.file.Path;

/** The mapped engine on (emulated) persistent memory keeps the promises of every engine. */
class MappedPmemEngineTest extends EngineContractTest {
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
}
