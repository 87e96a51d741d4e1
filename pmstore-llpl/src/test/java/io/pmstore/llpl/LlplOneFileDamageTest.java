package io.pmstore.llpl;

import io.pmstore.core.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The same for a pool that is one file. */
class LlplOneFileDamageTest extends LlplDamageTest {
  @Override
  protected Engine open(Path directory) {
    if (!new LlplProvider().recognizes(directory)) {
      try {
        PoolFiles files = new PoolFiles(directory);
        files.precheck();
        files.createDirectory();
        files.createWhole(POOL_SIZE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return super.open(directory);
  }

  @Override
  Path start(Path directory) {
    return directory.resolve("pool");
  }

  @Override
  void disguise(Path directory) {}
}
