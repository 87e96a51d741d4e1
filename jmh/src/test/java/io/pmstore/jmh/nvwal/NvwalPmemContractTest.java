package io.pmstore.jmh.nvwal;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import io.pmstore.core.medium.PmemMedium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** The log on tmpfs, emulating persistent memory. */
class NvwalPmemContractTest extends EngineContractTest {
  @BeforeAll
  static void available() {
    Assumptions.assumeTrue(PmemMedium.hasLibrary(), "libpmem1 is not installed");
  }

  @Override
  protected Path parent() {
    Path shared = Path.of("/dev/shm");
    return Files.isWritable(shared) ? shared : super.parent();
  }

  @Override
  protected Engine open(Path directory) {
    return NvwalOpener.open(
        directory,
        NvwalSettings.of(
            directory,
            Map.of("log.size", Long.toString(NvwalSettings.SIZE_MIN), "log.medium", "pmem")));
  }
}
