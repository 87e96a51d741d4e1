package io.pmstore.llpl;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.StorePlatform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Opens stores of PMDK pools. Loads no class of LLPL, and no native library, before there is a
 * store to open.
 */
public final class LlplProvider implements EngineProvider {
  @Override
  public String name() {
    return "llpl";
  }

  @Override
  public Set<Storage> storages() {
    return Set.of(Storage.LLPL);
  }

  @Override
  public boolean recognizes(Path directory) {
    return new PoolFiles(directory).exist();
  }

  @Override
  public GroupAccess groupAccess(Path directory) throws IOException {
    return PoolFiles.rights(directory, GroupAccess.NONE).group();
  }

  @Override
  public Engine open(Path directory, PmStoreOptions options) {
    require(directory, options);
    return LlplEngine.open(directory, options);
  }

  /** Opens a store after a trial of its pool, also if the pool was closed. */
  @Override
  public Engine openToVerify(Path directory, PmStoreOptions options) {
    require(directory, options);
    return LlplEngine.openTried(directory, options);
  }

  private static void require(Path directory, PmStoreOptions options) {
    StorePlatform.requireFiles(directory);
    if (options.readOnly()) {
      throw new PmStoreException(
          "%s: a store of storage LLPL cannot be opened for reading only, because PMDK writes to a pool in order to open it; open it without PmStoreOptions.readOnly; give PmStore.dryRun a backup of it"
              .formatted(directory));
    }
    NativeLibraries.load();
  }

  @Override
  public EngineRepair repair(Path directory) {
    throw new StoreFormatException(
        "%s has a store of storage LLPL: PmStore.repair makes files of the storages FILE and PERSISTENT_MEMORY anew. PMDK's pmempool checks a pool; else restore the store from a backup"
            .formatted(directory));
  }
}
