package org.example.engine;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineContractTest;
import io.pmstore.core.engine.EngineProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;

/** An engine that {@link ServiceLoader} finds by its name keeps the contract, whoever wrote it. */
class ImageContractTest extends EngineContractTest {
  @Override
  protected Engine open(Path directory) {
    List<EngineProvider> found =
        ServiceLoader.load(EngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals(ImageProvider.NAME))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError("not one engine of that name but " + found);
    }
    return found.getFirst().open(directory, PmStoreOptions.defaults());
  }

  @AfterEach
  void forget() {
    ImageProvider.forget();
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
