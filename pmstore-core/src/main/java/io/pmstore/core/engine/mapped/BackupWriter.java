package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Media;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Writes a closed store whose heap is given, extent by extent, in the order in which every store is
 * made: it is there as a whole, durably, or not at all. Holds the lock of its directory until it is
 * closed. Not safe for use by several threads.
 */
public final class BackupWriter implements AutoCloseable {
  private final Path directory;
  private final StoreLock lock;
  private final UnaryOperator<Medium> wrap;

  /** Gives the bytes of a heap. */
  @FunctionalInterface
  public interface Source {
    /**
     * Copies an extent.
     *
     * @param extent its number
     * @param copy gets its {@link HeapMemory#EXTENT_SIZE} bytes
     */
    void copyExtent(int extent, MemorySegment copy);
  }

  private BackupWriter(Path directory, StoreLock lock, UnaryOperator<Medium> wrap) {
    this.directory = directory;
    this.lock = lock;
    this.wrap = wrap;
  }

  /**
   * Makes a directory ready for a store, if there is none.
   *
   * @param directory absent, empty, or left by an interrupted creation
   * @return the writer
   * @throws StoreFormatException if there is something in it
   * @throws io.pmstore.StoreLockedException if another process or thread is at work there
   * @throws StoreFullException if there is no room
   * @throws PmStoreException if it cannot be written
   */
  public static BackupWriter open(Path directory) {
    return open(directory, UnaryOperator.identity());
  }

  /**
   * Makes a directory ready.
   *
   * @param wrap puts a test's medium around the real one
   */
  static BackupWriter open(Path directory, UnaryOperator<Medium> wrap) {
    StoreOpener.requirePlatform(directory);
    try {
      if (Files.exists(directory)) {
        StoreOpener.requireDirectory(directory);
        requireNoStore(directory); // before a lock file is put there
      }
      StoreOpener.createDirectories(directory);
      StoreLock lock = StoreLock.acquire(directory);
      try {
        requireNoStore(directory);
        return new BackupWriter(directory, lock, wrap);
      } catch (Throwable e) {
        lock.release();
        throw e;
      }
    } catch (IOException e) {
      throw cannotWrite(directory, e);
    }
  }

  private static void requireNoStore(Path directory) throws IOException {
    if (StoreDirectory.holdsStore(directory, new FileMedium(directory).list())) {
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

  /**
   * Writes the store. On return it is whole and durable; if an exception is thrown there is none,
   * and nothing is left but the lock file.
   *
   * @param segmentSize the size of its log segments, in bytes
   * @param heapSize the size of its heap, in bytes: whole extents
   * @param source what the heap holds; what it throws is passed on
   * @throws StoreFullException if there is no room
   * @throws PmStoreException if it cannot be written
   */
  public void write(long segmentSize, long heapSize, Source source) {
    Medium medium = wrap.apply(new FileMedium(directory));
    try {
      // What a new store would become here; the bytes are the same for both.
      Storage storage = Media.isDax(directory) ? Storage.PERSISTENT_MEMORY : Storage.FILE;
      StoreDirectory.create(medium, segmentSize, storage, new Copied(heapSize, source));
    } catch (IOException e) {
      throw cannotWrite(directory, e);
    }
  }

  private record Copied(long heapSize, Source source) implements StoreDirectory.Contents {
    @Override
    public void write(MediumFile heap, PageSums sums) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment extent = arena.allocate(HeapMemory.EXTENT_SIZE, PageSumsLayout.PAGE);
        MemorySegment scratch =
            arena.allocate(HeapMemory.EXTENT_SIZE / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE);
        for (long base = 0; base < heapSize; base += HeapMemory.EXTENT_SIZE) {
          source.copyExtent((int) (base >>> HeapMemory.EXTENT_SHIFT), extent);
          long from = base == 0 ? Engine.RESERVED : 0; // the header copies are the new store's own
          MemorySegment pages = extent.asSlice(from);
          heap.write(base + from, pages);
          sums.write(base + from, pages, scratch);
        }
      }
    }
  }

  /** Gives up the lock of the directory. */
  @Override
  public void close() {
    lock.release();
  }
}
