package org.example.engine;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import io.pmstore.core.engine.EngineProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;

/** Engines that {@link ServiceLoader} finds keep the contract, whoever wrote them. */
class ImageContractTest extends EngineContractTest {
  @Override
  protected Engine open(Path directory) {
    mark(directory);
    List<EngineProvider> found =
        ServiceLoader.load(EngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.recognizes(directory))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError("not one engine for " + directory + " but " + found);
    }
    return found.getFirst().open(directory, PmStoreOptions.defaults());
  }

  @AfterEach
  void forget() {
    ImageProvider.forget();
  }

  static void mark(Path directory) {
    try {
      Path mark = directory.resolve(ImageProvider.MARK);
      if (!Files.exists(mark)) {
        Files.createFile(mark);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected void copyAsAfterKill(Path from, Path to) {
    ImageProvider.copy(from, to);
  }

  @Override
  protected List<Path> files(Path directory) {
    return List.of();
  }
}
