package io.pmstore.core.engine;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the contract suite itself. */
class MemoryEngineTest extends EngineContractTest {
  private final Map<Path, MemoryEngine.Image> images = new HashMap<>();

  @Override
  protected synchronized Engine open(Path directory) {
    return new MemoryEngine(
        images.computeIfAbsent(directory, d -> new MemoryEngine.Image()), 1 << 20);
  }

  @Override
  protected synchronized void copyAsAfterKill(Path from, Path to) {
    images.put(to, images.getOrDefault(from, new MemoryEngine.Image()).copy());
  }

  @Override
  protected List<Path> files(Path directory) {
    return List.of();
  }
}
