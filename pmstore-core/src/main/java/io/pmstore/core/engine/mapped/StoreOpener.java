package io.pmstore.core.engine.mapped;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StorePlatform;
import io.pmstore.core.engine.mapped.files.StoreDirectory;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderFile;
import io.pmstore.core.engine.mapped.header.HeapHeaderLayout;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Media;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.MediumWrappers;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.medium.ReadOnlyMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

/**
 * The steps from a path to an open engine. Each step checks before the next one changes anything.
 */
final class StoreOpener {
  private StoreOpener() {}

  /**
   * Opens or creates a store.
   *
   * @param wrap puts a test's medium around the real one
   * @param threads creates the engine's background thread
   */
  static MappedEngine open(
      Path directory, PmStoreOptions options, UnaryOperator<Medium> wrap, ThreadFactory threads) {
    if (options.storage() == Storage.LLPL) {
      throw new IllegalArgumentException(
          "the mapped engine does not open stores of " + Storage.LLPL);
    }
    StorePlatform.require(directory);
    try {
      precheck(directory);
      if (options.storage() == Storage.PERSISTENT_MEMORY) {
        PmemMedium.requireLibrary();
      }
      AccessRights rights = rights(directory, options.groupAccess());
      rights.createDirectories(directory);
      StoreLock lock = StoreLock.acquire(directory, rights);
      return orClose(
          lock::release, () -> openLocked(directory, options, rights, wrap, threads, lock));
    } catch (MediumException e) {
      if (e.noRoom()) {
        throw new StoreFullException(
            "there is no room for the store in %s: %s; free some space"
                .formatted(directory, e.getMessage()),
            e);
      }
      throw cannotOpen(directory, e);
    } catch (IOException | InternalError e) {
      // Reading a mapped file that shrinks or cannot be read throws an InternalError.
      throw cannotOpen(directory, e);
    }
  }

  /** Opens a store for reading; changes nothing. */
  static ReadOnlyEngine openReadOnly(Path directory) {
    if (!holdsStore(directory)) {
      throw new StoreFormatException(
          "there is no store in %s to be read; check the path".formatted(directory));
    }
    StoreLock lock = StoreLock.acquireShared(directory);
    try {
      return orClose(lock::release, () -> startReading(directory, lock));
    } catch (IOException | InternalError e) {
      throw new PmStoreException(
          "the store in %s cannot be opened for reading: %s; all files in it must be readable"
              .formatted(directory, e),
          e);
    }
  }

  private static ReadOnlyEngine startReading(Path directory, StoreLock lock) throws IOException {
    StoreFiles files = new StoreFiles(new ReadOnlyMedium(directory));
    return orClose(files, () -> ReadOnlyEngine.start(lock, files));
  }

  static boolean holdsStore(Path directory) {
    StorePlatform.require(directory);
    if (!StorePlatform.isDirectory(directory)) {
      return false;
    }
    try {
      return StoreDirectory.holdsStore(directory, new FileMedium(directory).list());
    } catch (IOException e) {
      throw cannotOpen(directory, e);
    }
  }

  /** Returns the rights for new files: those of the store, or of a store to be created. */
  static AccessRights rights(Path directory, GroupAccess group) throws IOException {
    return AccessRights.ofStore(directory.resolve(StoreLayout.HEAP), group);
  }

  private static PmStoreException cannotOpen(Path directory, Throwable e) {
    return new PmStoreException(
        "the store in %s cannot be opened: %s; a store needs a directory that can be read and written, and some ten open files (ulimit -n)"
            .formatted(directory, e),
        e);
  }

  /** Refuses what is recognizably no store, before a lock file is created there. */
  private static void precheck(Path directory) throws IOException {
    if (!StorePlatform.isDirectory(directory)) {
      return;
    }
    Medium medium = new FileMedium(directory);
    SortedSet<String> names = medium.list();
    if (StoreDirectory.isUnfinishedBackup(names) && names.contains(StoreLayout.LOCK)) {
      return; // the lock tells whether it is still being written; if not, the next look refuses it
    }
    if (StoreDirectory.holdsStore(directory, names) && !names.contains(StoreLayout.LOCK)) {
      readHeader(medium);
    }
  }

  private static HeapHeader readHeader(Medium medium) throws IOException {
    try (MediumFile heap = medium.open(StoreLayout.HEAP)) {
      return HeapHeaderFile.read(heap, medium.directory()).current();
    }
  }

  /** Reads the header of a store that need not be sound otherwise. */
  static StoreFacts facts(Path directory) throws IOException {
    HeapHeader header = readHeader(new ReadOnlyMedium(directory));
    return new StoreFacts(
        HeapHeaderLayout.VERSION_VALUE,
        header.store(),
        header.storage(),
        header.closed(),
        header.epoch(),
        header.heapSize());
  }

  private static MappedEngine openLocked(
      Path directory,
      PmStoreOptions options,
      AccessRights rights,
      UnaryOperator<Medium> wrap,
      ThreadFactory threads,
      StoreLock lock)
      throws IOException {
    Medium plain = new FileMedium(directory);
    boolean exists = StoreDirectory.holdsStore(directory, plain.list());
    Storage made = options.storage();
    if (made == Storage.AUTO && exists) {
      made = readHeader(plain).storage();
    } else if (made == Storage.AUTO) {
      made = Media.isDax(directory) ? Storage.PERSISTENT_MEMORY : Storage.FILE;
    }
    // Both have the same bytes; with FILE each commit costs a system call.
    boolean pmem = Media.usePmem(options.storage(), made, directory);
    Medium medium =
        wrap.apply(
            MediumWrappers.wrap(
                directory,
                pmem ? new PmemMedium(directory, rights) : new FileMedium(directory, rights)));
    if (!exists) {
      Storage storage = pmem ? Storage.PERSISTENT_MEMORY : Storage.FILE;
      StoreDirectory.create(medium, options.logSegmentSize(), storage, StoreDirectory.EMPTY);
    } else {
      medium.syncDirectory(); // a killed process may have renamed a file, and not durably
    }
    StoreFiles files = new StoreFiles(medium);
    return orClose(files, () -> MappedEngine.start(lock, files, threads));
  }
}
