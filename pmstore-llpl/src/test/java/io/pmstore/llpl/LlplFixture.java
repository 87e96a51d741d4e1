package io.pmstore.llpl;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.EngineFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** Engines over pools that have at most 80 MiB, in memory. */
abstract class LlplFixture extends EngineFixture {
  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected LlplEngine open(Path directory) {
    return LlplEngine.open(directory, PmStoreOptions.defaults().llplPoolSize(80 << 20));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }
}
