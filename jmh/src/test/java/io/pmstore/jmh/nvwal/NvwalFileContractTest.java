package io.pmstore.jmh.nvwal;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import java.nio.file.Path;
import java.util.Map;

/** The log in an ordinary file. */
class NvwalFileContractTest extends EngineContractTest {
  @Override
  protected Engine open(Path directory) {
    return NvwalOpener.open(
        directory,
        NvwalSettings.of(directory, Map.of("log.size", Long.toString(NvwalSettings.SIZE_MIN))));
  }

  @Override
  protected int randomCommits() {
    return 500;
  }
}
