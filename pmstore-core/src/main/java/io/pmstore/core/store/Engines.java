package io.pmstore.core.store;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.llpl.LlplStores;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.ReadOnlyEngine;
import java.nio.file.Path;
import java.util.function.BiFunction;

/** Chooses the engine of a store: the one it was created with, or the one that the options name. */
final class Engines {
  private Engines() {}

  /** Says whether there is a store to open, without making or changing anything. */
  static boolean holdsStore(Path directory) {
    return LlplStores.isStore(directory) || MappedEngine.holdsStore(directory);
  }

  /** The size of log segments that suits a copy of an open store: its own, if it has any. */
  static long logSegmentSize(Engine engine, PmStoreOptions options) {
    return switch (engine) {
      case MappedEngine mapped -> mapped.logSegmentSize();
      case ReadOnlyEngine mapped -> mapped.logSegmentSize();
      default -> options.logSegmentSize();
    };
  }

  static Engine open(Path directory, PmStoreOptions options) {
    return open(directory, options, LlplStores::open);
  }

  /** Opens a store that is to be verified: as carefully as its engine can. */
  static Engine openToVerify(Path directory, PmStoreOptions options) {
    return open(directory, options, LlplStores::openTried);
  }

  private static Engine open(
      Path directory, PmStoreOptions options, BiFunction<Path, PmStoreOptions, Engine> openLlpl) {
    Storage storage = options.storage();
    boolean isLlpl = LlplStores.isStore(directory);
    if (isLlpl && storage != Storage.LLPL && storage != Storage.AUTO) {
      throw new StoreFormatException(
          "%s has a store of storage LLPL, and %s was asked for; open it with Storage.LLPL or Storage.AUTO"
              .formatted(directory, storage));
    }
    if (options.readOnly()) {
      if (isLlpl) {
        throw new PmStoreException(
            "%s: a store of storage LLPL cannot be opened for reading only, because PMDK writes to a pool in order to open it; open it without PmStoreOptions.readOnly"
                .formatted(directory));
      }
      return ReadOnlyEngine.open(directory);
    }
    return isLlpl || storage == Storage.LLPL
        ? openLlpl.apply(directory, options)
        : MappedEngine.open(directory, options);
  }
}
