package io.pmstore.core.tx;

import io.pmstore.core.engine.EngineKind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link SnapshotConcurrencyTest} tests on core's engines, on a tiered store. */
class TieredSnapshotConcurrencyTest {
  @TempDir Path directory;

  @Test
  void everySnapshotIsOneState() throws Exception {
    SnapshotConcurrencyTest test = new SnapshotConcurrencyTest();
    test.directory = directory;
    test.everySnapshotIsOneState(EngineKind.TIERED);
  }
}
