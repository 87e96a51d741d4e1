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
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.engine.StoredCommits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the engine of a store: the one that recognizes the directory, or else the one that the
 * options name, or that serves the storage which they choose.
 */
final class Engines {
  private static final Map<String, String> ARTIFACTS =
      Map.of(
          "mapped", "io.pmstore:pmstore",
          "llpl", "io.pmstore:pmstore-llpl",
          "tiered", "io.pmstore:pmstore-tiered",
          "raft", "io.pmstore:pmstore-raft");

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

  /** Returns true if there is a store to open. Creates and changes nothing. */
  boolean holdsStore(Path directory, PmStoreOptions options) {
    return provider(directory, options).holdsStore(directory);
  }

  /** Returns true if a directory has files of a store, whole or damaged. */
  boolean recognize(Path directory) {
    return !those(provider -> provider.recognizes(directory)).isEmpty();
  }

  /** Returns the name of the engine that serves a directory. */
  String name(Path directory) {
    return provider(directory, PmStoreOptions.defaults()).name();
  }

  /** Returns what the header of an existing store says, if its engine can tell. */
  Optional<StoreFacts> facts(Path directory) throws IOException {
    return provider(directory, PmStoreOptions.defaults()).facts(directory);
  }

  /** Opens what the files of an existing store have of its commits, if its engine can show it. */
  Optional<StoredCommits> storedCommits(Path directory) {
    return provider(directory, PmStoreOptions.defaults()).storedCommits(directory);
  }

  /** Returns what the group may do with the files of an existing store. */
  GroupAccess groupAccess(Path directory) {
    try {
      return provider(directory, PmStoreOptions.defaults()).groupAccess(directory);
    } catch (IOException e) {
      throw new PmStoreException(
          "the rights of the files in %s cannot be read: %s; the directory must exist and be readable"
              .formatted(directory, e),
          e);
    }
  }

  Engine open(Path directory, PmStoreOptions options) {
    return provider(directory, options).open(directory, options);
  }

  /** Opens a store that is to be verified, as carefully as its engine can. */
  Engine openToVerify(Path directory, PmStoreOptions options) {
    return provider(directory, options).openToVerify(directory, options);
  }

  /** Examines what can be repaired of a store. */
  EngineRepair repair(Path directory) {
    return provider(directory, PmStoreOptions.defaults()).repair(directory);
  }

  /** Prepares a directory for the backup of a store of any engine. */
  BackupTarget backupTo(Path directory, GroupAccess group) {
    return serving(Storage.FILE).backupTo(directory, group);
  }

  private EngineProvider provider(Path directory, PmStoreOptions options) {
    List<EngineProvider> recognizing = those(provider -> provider.recognizes(directory));
    if (recognizing.size() > 1) {
      throw new StoreFormatException(
          "%s has files of several stores: of the engines %s; a directory has one store: move the files of the others away"
              .formatted(directory, names(recognizing)));
    }
    Storage storage = options.storage();
    if (recognizing.isEmpty()) {
      return options.engine().map(name -> named(name, storage)).orElseGet(() -> serving(storage));
    }
    EngineProvider found = recognizing.getFirst();
    if (options.engine().isPresent() && !options.engine().get().equals(found.name())) {
      throw new StoreFormatException(
          "%s has a store of the engine %s, and the engine %s was asked for; open it with PmStoreOptions.engine(\"%s\"), or without naming an engine"
              .formatted(directory, found.name(), options.engine().get(), found.name()));
    }
    if (storage != Storage.AUTO && !found.storages().contains(storage)) {
      throw new StoreFormatException(
          "%s has a store of the engine %s, and Storage.%s was asked for; open it with %s"
              .formatted(directory, found.name(), storage, advice(found)));
    }
    return found;
  }

  private EngineProvider named(String name, Storage storage) {
    List<EngineProvider> named = those(provider -> provider.name().equals(name));
    if (named.isEmpty()) {
      throw new PmStoreException(
          "no engine named %s was found on the class path or module path; found were %s. %s"
              .formatted(
                  name,
                  names(providers),
                  ARTIFACTS.containsKey(name)
                      ? "Depend on " + ARTIFACTS.get(name)
                      : "Depend on the artifact that has it, or give PmStoreOptions.engine the name"
                          + " of one of these"));
    }
    EngineProvider found = only(named, "are named " + name);
    if (storage != Storage.AUTO && !found.storages().contains(storage)) {
      throw new IllegalArgumentException(
          "the options name the engine %s and Storage.%s, which it does not serve; leave one of the two out"
              .formatted(name, storage));
    }
    return found;
  }

  private EngineProvider serving(Storage storage) {
    List<EngineProvider> serving = those(provider -> provider.storages().contains(storage));
    if (serving.isEmpty()) {
      throw new PmStoreException(
          "no engine for Storage.%s was found on the class path or module path; found were %s. Depend on %s"
              .formatted(storage, names(providers), ARTIFACTS.get(engine(storage))));
    }
    return only(serving, "serve Storage." + storage);
  }

  private List<EngineProvider> those(Predicate<EngineProvider> wanted) {
    return providers.stream().filter(wanted).toList();
  }

  private static EngineProvider only(List<EngineProvider> found, String what) {
    if (found.size() > 1) {
      throw new PmStoreException(
          "several engines %s: %s; leave one of them on the class path or module path"
              .formatted(what, names(found)));
    }
    return found.getFirst();
  }

  private static String engine(Storage storage) {
    return switch (storage) {
      case AUTO, FILE, PERSISTENT_MEMORY -> "mapped";
      case LLPL -> "llpl";
      case TIERED -> "tiered";
    };
  }

  private static String names(List<EngineProvider> providers) {
    return providers.stream()
        .map(provider -> provider.name() + " (" + provider.getClass().getName() + ")")
        .sorted()
        .collect(
            Collectors.collectingAndThen(Collectors.joining(", "), s -> s.isEmpty() ? "none" : s));
  }

  /** Returns the storages with which a provider's stores can be opened. */
  private static String advice(EngineProvider provider) {
    return Stream.concat(
            provider.storages().stream().filter(storage -> storage != Storage.AUTO).sorted(),
            Stream.of(Storage.AUTO))
        .map(storage -> "Storage." + storage)
        .collect(Collectors.joining(" or "));
  }
}
