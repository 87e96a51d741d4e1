package io.pmstore.tiered;

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
import io.pmstore.core.medium.Media;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.medium.ReadOnlyMedium;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.tiered.TieredFiles.Places;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
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
    if (!Files.exists(directory)) {
      return false;
    }
    requireDirectory(directory);
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
    for (String name : names) {
      if (name.equals(TieredLayout.pool(0))
          || name.equals(TieredLayout.pool(1))
          || TieredLayout.isSpill(name)) {
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

  private static void requireDirectory(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new StoreFormatException(
          "%s is not a directory; a store is one: choose another path".formatted(directory));
    }
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
      if (Files.exists(directory)) {
        requireDirectory(directory);
        holdsStore(directory, new FileMedium(directory).list()); // before a lock file is made
      }
      AccessRights rights = rights(directory, options.groupAccess());
      rights.createDirectories(directory);
      StoreLock lock = StoreLock.acquire(directory, rights);
      try {
        return openLocked(directory, options, rights, wrap, basePools, threads, lock);
      } catch (Throwable e) {
        releaseAfter(e, lock);
        throw e;
      }
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

  private static void releaseAfter(Throwable e, StoreLock lock) {
    try {
      lock.release();
    } catch (PmStoreException releasing) {
      e.addSuppressed(releasing);
    }
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
    Medium main = wrap.apply(new FileMedium(directory, rights));
    if (!holdsStore(directory, main.list())) {
      create(main, options, rights, wrap);
    }
    HeaderFile header = HeaderFile.read(main.open(TieredLayout.HEADER), directory);
    @Nullable TieredFiles files = null;
    try {
      StoreHeader opened = withOptions(header.current(), options);
      files = new TieredFiles(places(main, opened, options, rights, wrap), header, true);
      return TieredEngine.start(lock, files, opened, basePools, threads);
    } catch (Throwable e) {
      if (files != null) {
        files.closeAfter(e);
      } else {
        closeAfter(e, header);
      }
      throw e;
    }
  }

  private static void closeAfter(Throwable e, HeaderFile header) {
    try {
      header.close();
    } catch (IOException closing) {
      e.addSuppressed(closing);
    }
  }

  /** Returns the header with the directories that the options name, if they name any. */
  private static StoreHeader withOptions(StoreHeader header, PmStoreOptions options) {
    return header.opened(
        header.floor(),
        options.tieredPoolDirectory().map(TieredOpener::text).orElse(header.poolDirectory()),
        options.tieredSpillDirectory().map(TieredOpener::text).orElse(header.spillDirectory()));
  }

  private static String text(Path directory) {
    String text = directory.toAbsolutePath().normalize().toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > StoreHeader.PATH_MAX) {
      throw new PmStoreException(
          "the path %s is longer than %d bytes; choose a shorter one"
              .formatted(text, StoreHeader.PATH_MAX));
    }
    return text;
  }

  private static Places places(
      Medium main,
      StoreHeader header,
      PmStoreOptions options,
      AccessRights rights,
      UnaryOperator<Medium> wrap)
      throws IOException {
    Path pools = directory(main, header.poolDirectory(), "pools");
    Path spills = directory(main, header.spillDirectory(), "spills");
    Storage medium =
        options.tieredPoolStorage() == Storage.AUTO ? header.medium() : options.tieredPoolStorage();
    boolean persistentMemory =
        medium == Storage.PERSISTENT_MEMORY
            && (options.tieredPoolStorage() != Storage.AUTO || PmemMedium.hasLibrary());
    return new Places(
        main,
        wrap.apply(
            persistentMemory ? new PmemMedium(pools, rights) : new FileMedium(pools, rights)),
        header.spillDirectory() == null ? main : wrap.apply(new FileMedium(spills, rights)));
  }

  private static Path directory(Medium main, @Nullable String recorded, String what) {
    Path directory = recorded == null ? main.directory() : Path.of(recorded);
    if (!Files.isDirectory(directory)) {
      throw new StoreDamagedException(
          "%s is missing, the directory of the %s of the store in %s. Mount its device; if it has another path now, open the store with PmStoreOptions.%s"
              .formatted(
                  directory,
                  what,
                  main.directory(),
                  what.equals("pools") ? "tieredPools" : "tieredSpillDirectory"));
    }
    return directory;
  }

  /**
   * Creates a store. The header has another name until everything else is durable, so a crash
   * leaves a store, or something that says to be unfinished.
   */
  private static void create(
      Medium main, PmStoreOptions options, AccessRights rights, UnaryOperator<Medium> wrap)
      throws IOException {
    Optional<UUID> unfinished = removeUnfinished(main);
    Path pools = options.tieredPoolDirectory().orElse(main.directory());
    rights.createDirectories(pools);
    rights.createDirectories(options.tieredSpillDirectory().orElse(main.directory()));
    Storage medium = options.tieredPoolStorage();
    if (medium == Storage.AUTO) {
      medium =
          Media.isDax(pools) && PmemMedium.hasLibrary() ? Storage.PERSISTENT_MEMORY : Storage.FILE;
    }
    StoreHeader first =
        withOptions(
            new StoreHeader(
                UUID.randomUUID(),
                0,
                PoolLayout.slots(options.tieredPoolSize()),
                medium,
                1,
                false,
                List.of(1L, 1L),
                0,
                0,
                0,
                List.of(StoreHeader.Contents.NONE, StoreHeader.Contents.NONE),
                null,
                null,
                List.of()),
            options);
    Places places = places(main, first, options, rights, wrap);
    HeaderFile.create(main.create(TieredLayout.HEADER_NEW), first).close();
    main.syncDirectory(); // before a pool is there: its name says that the store is unfinished
    for (int i = 0; i < TieredLayout.POOLS; i++) {
      createPool(places, first, i, unfinished);
    }
    places.pools().syncDirectory();
    main.rename(TieredLayout.HEADER_NEW, TieredLayout.HEADER);
    main.syncDirectory();
  }

  /** Removes what an interrupted creation left in the store's directory. Returns its store's id. */
  private static Optional<UUID> removeUnfinished(Medium main) throws IOException {
    SortedSet<String> names = main.list();
    if (!names.contains(TieredLayout.HEADER_NEW)) {
      return Optional.empty();
    }
    Optional<UUID> store = Optional.empty();
    byte[] copy = new byte[StoreHeader.SIZE];
    try (MediumFile file = main.open(TieredLayout.HEADER_NEW)) {
      for (int i = 0; i < HeaderFile.COPIES && file.size() >= (i + 1L) * copy.length; i++) {
        file.read((long) i * copy.length, copy, 0, copy.length);
        if (StoreHeader.fault(copy) == null) {
          store = Optional.of(StoreHeader.decode(copy).store());
        }
      }
    }
    for (int i = 0; i < TieredLayout.POOLS; i++) {
      if (names.contains(TieredLayout.pool(i))) {
        main.delete(TieredLayout.pool(i));
      }
    }
    main.syncDirectory(); // the name that says so goes last
    main.delete(TieredLayout.HEADER_NEW);
    return store;
  }

  private static void createPool(
      Places places, StoreHeader store, int number, Optional<UUID> unfinished) throws IOException {
    Medium medium = places.pools();
    String name = TieredLayout.pool(number);
    if (medium.list().contains(name)) {
      checkLeftOver(medium, name, unfinished);
      medium.delete(name);
    }
    try (MediumFile file = medium.create(name)) {
      file.allocate(0, PoolLayout.size(store.slots()), false);
      byte[] header = PoolLayout.header(store.store(), number, store.slots());
      file.write(0, header, 0, header.length);
      file.sync();
    }
  }

  private static void checkLeftOver(Medium medium, String name, Optional<UUID> unfinished)
      throws IOException {
    byte[] header = new byte[PoolLayout.HEADER];
    try (MediumFile file = medium.open(name)) {
      if (file.size() >= header.length) {
        file.read(0, header, 0, header.length);
      }
    }
    @Nullable UUID owner = PoolLayout.store(header);
    boolean isLeftOver =
        owner == null
            ? Arrays.equals(header, new byte[header.length])
            : unfinished.equals(Optional.of(owner));
    if (!isLeftOver) {
      throw new StoreFormatException(
          "%s is there already%s; a store needs a directory for its pools that no other one uses: choose another with PmStoreOptions.tieredPools"
              .formatted(
                  medium.directory().resolve(name),
                  owner == null ? "" : ", a pool of the store " + owner));
    }
  }

  /** Reads the header of a store that need not be sound otherwise. */
  static StoreFacts facts(Path directory) throws IOException {
    try (MediumFile file = new ReadOnlyMedium(directory).open(TieredLayout.HEADER)) {
      StoreHeader header = HeaderFile.read(file, directory).current();
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
      return startReading(directory, options, lock, reading);
    } catch (IOException | InternalError e) {
      PmStoreException thrown =
          new PmStoreException(
              "the store in %s cannot be opened for reading: %s; all files of it must be readable"
                  .formatted(directory, e),
              e);
      releaseAfter(thrown, lock);
      throw thrown;
    } catch (Throwable e) {
      releaseAfter(e, lock);
      throw e;
    }
  }

  private static <T> T startReading(
      Path directory, PmStoreOptions options, StoreLock lock, Reading<T> reading)
      throws IOException {
    Medium main = new ReadOnlyMedium(directory);
    HeaderFile header = HeaderFile.read(main.open(TieredLayout.HEADER), directory);
    @Nullable TieredFiles files = null;
    try {
      StoreHeader opened = withOptions(header.current(), options);
      Path pools = directory(main, opened.poolDirectory(), "pools");
      Path spills = directory(main, opened.spillDirectory(), "spills");
      files =
          new TieredFiles(
              new Places(main, new ReadOnlyMedium(pools), new ReadOnlyMedium(spills)),
              header,
              false);
      return reading.of(lock, files);
    } catch (Throwable e) {
      if (files != null) {
        files.closeAfter(e);
      } else {
        closeAfter(e, header);
      }
      throw e;
    }
  }
}
