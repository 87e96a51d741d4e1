package io.pmstore.llpl;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKillTest;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** On tmpfs, emulating persistent memory. */
class LlplKillTest extends EngineKillTest {
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

  @Override
  protected int rounds() {
    return 25;
  }

  @Override
  protected int commitsMs() {
    return 120;
  }

  @Override
  protected int heapRounds() {
    return 6; // most kills hit the commit of a large object
  }
}
