package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.closeAfter;
import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StorePlatform;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.medium.ReadOnlyMedium;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The steps from a path to an open engine. Each step checks before the next one changes anything.
 */
final class TieredOpener {
  private TieredOpener() {}

  /** Returns true if a directory has a file of such a store, whole or damaged. */
  static boolean recognizes(Path directory) {
    return Files.exists(directory.resolve(TieredLayout.HEADER))
        || (hasPool(directory) && !Files.exists(directory.resolve(TieredLayout.HEADER_NEW)));
  }

  private static boolean hasPool(Path directory) {
    return Files.exists(directory.resolve(TieredLayout.pool(0)))
        || Files.exists(directory.resolve(TieredLayout.pool(1)));
  }

  /** Returns true if there is a store to open, false if opening would create one. */
  static boolean holdsStore(Path directory) {
    StorePlatform.require(directory);
    if (!StorePlatform.isDirectory(directory)) {
      return false;
    }
    try {
      return holdsStore(directory, new FileMedium(directory).list());
    } catch (IOException e) {
      throw cannotOpen(directory, e);
    }
  }

  private static boolean holdsStore(Path directory, SortedSet<String> names) {
    if (names.contains(TieredLayout.HEADER)) {
      return true;
    }
    if (names.contains(TieredLayout.HEADER_NEW)) {
      return false; // what an interrupted creation left
    }
    @Nullable String mark = DirectoryOwner.mark(names);
    if (mark != null) {
      throw new StoreFormatException(
          "%s has pools or spills of another store, as its file %s says; open that store by its own directory, or choose another directory"
              .formatted(directory, mark));
    }
    for (String name : names) {
      if (TieredLayout.isPoolOrSpill(name)) {
        throw new StoreDamagedException(
            "%s has the file %s of a store of storage TIERED, and its header, the file %s, is missing; restore the store from a backup"
                .formatted(directory, name, TieredLayout.HEADER));
      }
      if (!name.equals(TieredLayout.LOCK)) {
        throw new StoreFormatException(
            "%s is no store and not empty: it has %s; choose another directory, or empty this one"
                .formatted(directory, name));
      }
    }
    return false;
  }

  static AccessRights rights(Path directory, GroupAccess group) throws IOException {
    return AccessRights.ofStore(directory.resolve(TieredLayout.HEADER), group);
  }

  /**
   * Opens or creates a store.
   *
   * @param wrap puts a test's medium around each real one
   * @param basePools how many pools' bytes of spills make a base due
   * @param threads creates the engine's background thread
   */
  static TieredEngine open(
      Path directory,
      PmStoreOptions options,
      UnaryOperator<Medium> wrap,
      int basePools,
      ThreadFactory threads) {
    StorePlatform.require(directory);
    if (options.tieredPoolStorage() == Storage.PERSISTENT_MEMORY) {
      PmemMedium.requireLibrary();
    }
    try {
      if (StorePlatform.isDirectory(directory)) {
        holdsStore(directory, new FileMedium(directory).list()); // before a lock file is made
      }
      AccessRights rights = rights(directory, options.groupAccess());
      rights.createDirectories(directory);
      StoreLock lock = StoreLock.acquire(directory, rights);
      return orClose(
          lock::release,
          () -> openLocked(directory, options, rights, wrap, basePools, threads, lock));
    } catch (MediumException e) {
      if (e.noRoom()) {
        throw new StoreFullException(
            "there is no room for the store in %s: %s; free some space, or create it with a smaller PmStoreOptions.tieredPoolSize"
                .formatted(directory, e.getMessage()),
            e);
      }
      throw cannotOpen(directory, e);
    } catch (IOException | InternalError e) {
      // Reading a mapped file that shrinks or cannot be read throws an InternalError.
      throw cannotOpen(directory, e);
    }
  }

  private static PmStoreException cannotOpen(Path directory, Throwable e) {
    return new PmStoreException(
        "the store in %s cannot be opened: %s; a store needs directories that can be read and written"
            .formatted(directory, e),
        e);
  }

  private static TieredEngine openLocked(
      Path directory,
      PmStoreOptions options,
      AccessRights rights,
      UnaryOperator<Medium> wrap,
      int basePools,
      ThreadFactory threads,
      StoreLock lock)
      throws IOException {
    Places.Media media = new Places.Media(rights, wrap);
    Medium main = media.of(directory);
    if (!holdsStore(directory, main.list())) {
      StoreCreation.create(main, options, media);
    } else {
      main.syncDirectory(); // a killed process may have renamed a file, and not durably
    }
    StoreHeaderFile header = StoreHeaderFile.open(main.open(TieredLayout.HEADER), directory);
    AutoCloseable opened = header;
    try {
      StoreHeader current = Places.named(main, header.current(), options);
      Places places = Places.of(main, current, options, media);
      OwnedDirectories owned = lockOthers(header, current, directory, media::of, rights);
      TieredFiles files = new TieredFiles(places, header, true);
      opened = files;
      header.sync(); // the header may be one that a killed process did not sync; the mark names it
      owned.claim(header.current());
      return TieredEngine.start(lock, files, current, basePools, threads);
    } catch (Throwable e) {
      closeAfter(e, opened);
      throw e;
    }
  }

  /**
   * Checks and locks the directories of a store that are not its own, until its header is closed.
   *
   * @param current the header with the directories that are used now
   * @param rights of marks that are made; null to read only
   */
  private static OwnedDirectories lockOthers(
      StoreHeaderFile header,
      StoreHeader current,
      Path directory,
      Function<Path, Medium> media,
      @Nullable AccessRights rights)
      throws IOException {
    DirectoryOwner.checkAll(header.current(), current, media);
    OwnedDirectories owned =
        OwnedDirectories.lock(
            directory,
            DirectoryOwner.all(current, current.store(), media),
            header.current(),
            rights);
    header.follow(owned);
    owned.check(header);
    return owned;
  }

  /** Reads the header of a store that need not be sound otherwise. */
  static StoreFacts facts(Path directory) throws IOException {
    MediumFile file = new ReadOnlyMedium(directory).open(TieredLayout.HEADER);
    try (StoreHeaderFile opened = StoreHeaderFile.open(file, directory)) {
      StoreHeader header = opened.current();
      return new StoreFacts(
          StoreHeader.VERSION,
          header.store(),
          Storage.TIERED,
          header.closed(),
          0,
          (long) header.extents() << HeapMemory.EXTENT_SHIFT);
    }
  }

  /** Opens a store for reading; changes nothing. */
  static ReadOnlyTieredEngine openReadOnly(Path directory, PmStoreOptions options) {
    return read(directory, options, ReadOnlyTieredEngine::start);
  }

  /** Opens what the files of a store have of its commits; changes nothing. */
  static StoredImages openImages(Path directory) {
    return read(directory, PmStoreOptions.defaults(), StoredImages::of);
  }

  /** What reads a store; owns its lock and its files unless it throws. */
  @FunctionalInterface
  private interface Reading<T> {
    T of(StoreLock lock, TieredFiles files) throws IOException;
  }

  private static <T> T read(Path directory, PmStoreOptions options, Reading<T> reading) {
    if (!holdsStore(directory)) {
      throw new StoreFormatException(
          "there is no store in %s to be read; check the path".formatted(directory));
    }
    StoreLock lock = StoreLock.acquireShared(directory);
    try {
      return orClose(lock::release, () -> startReading(directory, options, lock, reading));
    } catch (IOException | InternalError e) {
      throw new PmStoreException(
          "the store in %s cannot be opened for reading: %s; all files of it must be readable"
              .formatted(directory, e),
          e);
    }
  }

  private static <T> T startReading(
      Path directory, PmStoreOptions options, StoreLock lock, Reading<T> reading)
      throws IOException {
    Medium main = new ReadOnlyMedium(directory);
    StoreHeaderFile header = StoreHeaderFile.open(main.open(TieredLayout.HEADER), directory);
    AutoCloseable opened = header;
    try {
      StoreHeader current = Places.named(main, header.current(), options);
      Places places = Places.forReading(main, current);
      var _ = lockOthers(header, current, directory, ReadOnlyMedium::new, null);
      TieredFiles files = new TieredFiles(places, header, false);
      opened = files;
      return reading.of(lock, files);
    } catch (Throwable e) {
      closeAfter(e, opened);
      throw e;
    }
  }
}
