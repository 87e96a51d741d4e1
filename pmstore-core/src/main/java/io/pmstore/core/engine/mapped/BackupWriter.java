package io.pmstore.core.engine.mapped;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.BackupTarget;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StorePlatform;
import io.pmstore.core.engine.mapped.files.StoreDirectory;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSums;
import io.pmstore.core.engine.mapped.sums.PageSumsLayout;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Media;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes a backup as a store of mapped files, extent by extent, in the order in which every store
 * is created. Until it is whole, its heap has a name by which it is refused.
 */
public final class BackupWriter implements BackupTarget {
  private final Path directory;
  private final AccessRights rights;
  private final StoreLock lock;
  private final UnaryOperator<Medium> wrap;

  private BackupWriter(
      Path directory, AccessRights rights, StoreLock lock, UnaryOperator<Medium> wrap) {
    this.directory = directory;
    this.rights = rights;
    this.lock = lock;
    this.wrap = wrap;
  }

  /**
   * Prepares a directory that holds no store.
   *
   * @param directory absent, empty, or left by an interrupted creation or backup
   * @param rights of the directory, if it is created, and of the files
   * @throws StoreFormatException if it is not empty
   * @throws io.pmstore.StoreLockedException if another process or thread is using it
   * @throws StoreFullException if there is no room
   * @throws PmStoreException if it cannot be written
   */
  public static BackupWriter open(Path directory, AccessRights rights) {
    return open(directory, rights, UnaryOperator.identity());
  }

  /**
   * Prepares a directory.
   *
   * @param wrap puts a test's medium around the real one
   */
  static BackupWriter open(Path directory, AccessRights rights, UnaryOperator<Medium> wrap) {
    StorePlatform.require(directory);
    try {
      if (StorePlatform.isDirectory(directory)) {
        requireNoStore(directory); // before a lock file is created there
      }
      rights.createDirectories(directory);
      StoreLock lock = StoreLock.acquire(directory, rights);
      return orClose(
          lock::release,
          () -> {
            requireNoStore(directory);
            return new BackupWriter(directory, rights, lock, wrap);
          });
    } catch (IOException e) {
      throw cannotWrite(directory, e);
    }
  }

  private static void requireNoStore(Path directory) throws IOException {
    if (StoreDirectory.isTaken(directory, new FileMedium(directory).list())) {
      throw new StoreFormatException(
          "%s holds a store; a backup is only written to an absent or empty directory: choose another one"
              .formatted(directory));
    }
  }

  private static PmStoreException cannotWrite(Path directory, IOException e) {
    return e instanceof MediumException medium && medium.noRoom()
        ? new StoreFullException(
            "there is no room for the backup in %s: %s; free some space there, or choose another directory"
                .formatted(directory, e.getMessage()),
            e)
        : new PmStoreException(
            "the backup in %s cannot be written: %s; a backup needs a directory that can be read and written"
                .formatted(directory, e),
            e);
  }

  @Override
  public void write(long segmentSize, long room, Source source, @Nullable Instant checksumsMade) {
    Medium medium = wrap.apply(new FileMedium(directory, rights));
    try {
      // The storage that a new store would have here; the bytes are the same for both.
      Storage storage = Media.isDax(directory) ? Storage.PERSISTENT_MEMORY : Storage.FILE;
      StoreDirectory.create(
          medium,
          segmentSize,
          storage,
          new Copied(
              StoreLayout.closedSize(room),
              source,
              checksumsMade == null ? 0 : checksumsMade.toEpochMilli()));
    } catch (IOException e) {
      throw cannotWrite(directory, e);
    }
  }

  private record Copied(long heapSize, Source source, long sumsMade)
      implements StoreDirectory.Contents {
    @Override
    public String unfinishedHeap() {
      return StoreLayout.HEAP_BACKUP;
    }

    @Override
    public void write(MediumFile heap, PageSums sums) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment extent = arena.allocate(HeapMemory.EXTENT_SIZE, PageSumsLayout.PAGE);
        MemorySegment scratch =
            arena.allocate(HeapMemory.EXTENT_SIZE / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE);
        for (long base = 0; base < heapSize; base += HeapMemory.EXTENT_SIZE) {
          source.copyExtent((int) (base >>> HeapMemory.EXTENT_SHIFT), extent);
          long from = base == 0 ? Engine.RESERVED : 0; // the header copies are the new store's own
          long to = Math.min(HeapMemory.EXTENT_SIZE, heapSize - base);
          MemorySegment pages = extent.asSlice(from, to - from);
          heap.write(base + from, pages);
          sums.write(base + from, pages, scratch);
        }
      }
    }
  }

  @Override
  public void close() {
    lock.release();
  }
}
