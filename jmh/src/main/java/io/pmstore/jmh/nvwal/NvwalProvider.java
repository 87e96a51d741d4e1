package io.pmstore.jmh.nvwal;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Opens stores of the engine {@value #NAME}; {@link NvwalSettings} has its settings. */
public final class NvwalProvider implements EngineProvider {
  /** The engine's name. */
  public static final String NAME = "nvwal";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Storage> storages() {
    return Set.of();
  }

  @Override
  public boolean recognizes(Path directory) {
    return Files.exists(directory.resolve(NvwalHeader.FILE));
  }

  @Override
  public GroupAccess groupAccess(Path directory) {
    return GroupAccess.NONE;
  }

  @Override
  public Engine open(Path directory, PmStoreOptions options) {
    if (options.readOnly()) {
      throw new PmStoreException(
          "%s: the engine %s opens no store for reading only; open it without PmStoreOptions.readOnly"
              .formatted(directory, NAME));
    }
    return NvwalOpener.open(directory, NvwalSettings.of(directory, options.engineSettings()));
  }

  @Override
  public EngineRepair repair(Path directory) {
    throw new StoreFormatException(
        "%s has a store of the engine %s, which repairs none; restore it from a backup"
            .formatted(directory, NAME));
  }
}
