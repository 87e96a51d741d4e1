package io.pmstore.core.heap;

import io.pmstore.core.engine.EngineKind;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@link EvolvingObjectTest} tests on core's engines, on a tiered store. */
class TieredEvolvingObjectTest {
  private final EvolvingObjectTest test = new EvolvingObjectTest();

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void chainsOfShapesAreReadUpgradedAndOpenedAgain(@TempDir Path directory) {
    test.chainsOfShapesAreReadUpgradedAndOpenedAgain(EngineKind.TIERED, directory);
  }
}
