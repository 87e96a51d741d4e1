package io.pmstore.llpl;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** On tmpfs, emulating persistent memory. */
class LlplContractTest extends EngineContractTest {
  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected Engine open(Path directory) {
    return LlplEngine.open(directory, PmStoreOptions.defaults().llplPoolSize(80 << 20));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }
}
