package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The target of a backup: a directory that gets the whole closed store, durably, or none. Holds the
 * lock of the directory until it is closed. Not thread-safe.
 */
public interface BackupTarget extends AutoCloseable {
  /** The bytes of a heap. */
  @FunctionalInterface
  interface Source {
    /**
     * Copies an extent.
     *
     * @param extent its number
     * @param copy receives its {@link HeapMemory#EXTENT_SIZE} bytes
     */
    void copyExtent(int extent, MemorySegment copy);
  }

  /**
   * Writes the store. When the method returns, it is whole and durable. If it throws, there is no
   * store, and only the lock file is left.
   *
   * @param segmentSize of the log, in bytes
   * @param room the bytes of the heap that may be in use
   * @param source the contents of the heap; its exceptions are passed on
   * @param checksumsMade when a repair computed the original's checksums, or null
   * @throws io.pmstore.StoreFullException if there is no room
   * @throws PmStoreException if it cannot be written
   */
  void write(long segmentSize, long room, Source source, @Nullable Instant checksumsMade);

  /** Releases the lock of the directory. */
  @Override
  void close();
}
