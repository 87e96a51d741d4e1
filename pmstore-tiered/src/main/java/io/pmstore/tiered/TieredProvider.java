package io.pmstore.tiered;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.engine.StoredCommits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Opens stores whose heap is in DRAM, behind pools of images. */
public final class TieredProvider implements EngineProvider {
  @Override
  public String name() {
    return "tiered";
  }

  @Override
  public Set<Storage> storages() {
    return Set.of(Storage.TIERED);
  }

  @Override
  public boolean recognizes(Path directory) {
    return TieredOpener.recognizes(directory);
  }

  @Override
  public boolean holdsStore(Path directory) {
    return TieredOpener.holdsStore(directory);
  }

  @Override
  public Optional<StoreFacts> facts(Path directory) throws IOException {
    return Optional.of(TieredOpener.facts(directory));
  }

  @Override
  public Optional<StoredCommits> storedCommits(Path directory) {
    return Optional.of(TieredOpener.openImages(directory));
  }

  @Override
  public GroupAccess groupAccess(Path directory) throws IOException {
    return TieredOpener.rights(directory, GroupAccess.NONE).group();
  }

  @Override
  public Engine open(Path directory, PmStoreOptions options) {
    return options.readOnly()
        ? TieredOpener.openReadOnly(directory, options)
        : TieredEngine.open(directory, options);
  }

  @Override
  public EngineRepair repair(Path directory) {
    throw new StoreFormatException(
        "%s has a store of storage TIERED: PmStore.repair makes files of the storages FILE and PERSISTENT_MEMORY anew, and no file of this one can be made from the others; restore the store from a backup"
            .formatted(directory));
  }
}
