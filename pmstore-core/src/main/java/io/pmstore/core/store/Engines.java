package io.pmstore.core.store;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.BackupTarget;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the engine of a store: the one that recognizes the directory, or else the one that serves
 * the storage which the options name.
 */
final class Engines {
  private final List<EngineProvider> providers;

  /** The engines of some providers. */
  Engines(List<EngineProvider> providers) {
    this.providers = providers;
  }

  /** The engines that are beside core, on the class path or the module path. */
  static Engines installed() {
    List<EngineProvider> found = new ArrayList<>();
    for (EngineProvider provider :
        ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())) {
      found.add(provider);
    }
    return new Engines(found);
  }

  /** Returns true if there is a store to open. Makes and changes nothing. */
  boolean holdsStore(Path directory) {
    return provider(directory, Storage.AUTO).holdsStore(directory);
  }

  /** What the group may do with the files of a store that is there. */
  GroupAccess groupAccess(Path directory) {
    try {
      return provider(directory, Storage.AUTO).groupAccess(directory);
    } catch (IOException e) {
      throw new PmStoreException(
          "the rights of the files in %s cannot be read: %s; the directory must exist and be readable"
              .formatted(directory, e),
          e);
    }
  }

  /** Opens a store, or makes one. */
  Engine open(Path directory, PmStoreOptions options) {
    return provider(directory, options.storage()).open(directory, options);
  }

  /** Opens a store that is to be verified: as carefully as its engine can. */
  Engine openToVerify(Path directory, PmStoreOptions options) {
    return provider(directory, options.storage()).openToVerify(directory, options);
  }

  /** Looks what can be repaired of a store. */
  EngineRepair repair(Path directory) {
    return provider(directory, Storage.AUTO).repair(directory);
  }

  /** Makes a directory ready for the backup of a store of any engine. */
  BackupTarget backupTo(Path directory, GroupAccess group) {
    return serving(Storage.FILE).backupTo(directory, group);
  }

  private EngineProvider provider(Path directory, Storage storage) {
    List<EngineProvider> recognizing = new ArrayList<>();
    for (EngineProvider provider : providers) {
      if (provider.recognizes(directory)) {
        recognizing.add(provider);
      }
    }
    if (recognizing.isEmpty()) {
      return serving(storage);
    }
    if (recognizing.size() > 1) {
      throw new StoreFormatException(
          "%s has files of several stores: %s; a directory has one store: move the files of the others away"
              .formatted(directory, names(recognizing)));
    }
    EngineProvider found = recognizing.getFirst();
    if (storage != Storage.AUTO && !found.storages().contains(storage)) {
      throw new StoreFormatException(
          "%s has a store of %s, and storage %s was asked for; open it with %s"
              .formatted(directory, found.name(), storage, advice(found)));
    }
    return found;
  }

  private EngineProvider serving(Storage storage) {
    List<EngineProvider> serving = new ArrayList<>();
    for (EngineProvider provider : providers) {
      if (provider.storages().contains(storage)) {
        serving.add(provider);
      }
    }
    if (serving.isEmpty()) {
      throw new PmStoreException(
          "no engine for Storage.%s was found beside pmstore's core; depend on %s"
              .formatted(storage, artifact(storage)));
    }
    if (serving.size() > 1) {
      throw new PmStoreException(
          "several engines serve Storage.%s: %s; leave one of them on the class path or module path"
              .formatted(storage, names(serving)));
    }
    return serving.getFirst();
  }

  private static String artifact(Storage storage) {
    return switch (storage) {
      case AUTO, FILE, PERSISTENT_MEMORY -> "io.pmstore:pmstore";
      case LLPL -> "io.pmstore:pmstore-llpl";
      case TIERED -> "io.pmstore:pmstore-tiered";
    };
  }

  private static String names(List<EngineProvider> providers) {
    return providers.stream()
        .map(provider -> provider.name() + " (" + provider.getClass().getName() + ")")
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** The storages with which a provider's stores can be opened. */
  private static String advice(EngineProvider provider) {
    return Stream.concat(
            provider.storages().stream().filter(storage -> storage != Storage.AUTO).sorted(),
            Stream.of(Storage.AUTO))
        .map(storage -> "Storage." + storage)
        .collect(Collectors.joining(" or "));
  }
}
