package io.pmstore.core.engine.mapped;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.BackupTarget;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.engine.StoredCommits;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.AccessRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Opens stores of mapped files, on ordinary disks and on persistent memory. */
public final class MappedProvider implements EngineProvider {
  @Override
  public String name() {
    return "mapped";
  }

  @Override
  public Set<Storage> storages() {
    return Set.of(Storage.AUTO, Storage.FILE, Storage.PERSISTENT_MEMORY);
  }

  @Override
  public boolean recognizes(Path directory) {
    return Files.exists(directory.resolve(StoreLayout.HEAP))
        || Files.exists(directory.resolve(StoreLayout.HEAP_BACKUP))
        || (hasPart(directory) && !Files.exists(directory.resolve(StoreLayout.HEAP_NEW)));
  }

  private static boolean hasPart(Path directory) {
    for (String part : StoreLayout.PARTS) {
      if (Files.exists(directory.resolve(part))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean holdsStore(Path directory) {
    return StoreOpener.holdsStore(directory);
  }

  @Override
  public Optional<StoreFacts> facts(Path directory) throws IOException {
    return Optional.of(StoreOpener.facts(directory));
  }

  @Override
  public Optional<StoredCommits> storedCommits(Path directory) {
    return Optional.of(StoredLog.open(directory));
  }

  @Override
  public GroupAccess groupAccess(Path directory) throws IOException {
    return StoreOpener.rights(directory, GroupAccess.NONE).group();
  }

  @Override
  public Engine open(Path directory, PmStoreOptions options) {
    return options.readOnly()
        ? ReadOnlyEngine.open(directory)
        : MappedEngine.open(directory, options);
  }

  @Override
  public EngineRepair repair(Path directory) {
    return StoreRepair.open(directory);
  }

  @Override
  public BackupTarget backupTo(Path directory, GroupAccess group) {
    return BackupWriter.open(directory, new AccessRights(group));
  }
}
