package io.pmstore;

/**
 * What holds a store's bytes. A program opens a store with the storage that created it. Engines of
 * other artifacts may have no value here: {@link PmStoreOptions#engine(String)} names them.
 */
public enum Storage {
  /**
   * An existing store keeps what it was created with; a new one becomes {@link #PERSISTENT_MEMORY}
   * on a file system mounted with DAX and {@link #FILE} elsewhere.
   */
  AUTO,
  /**
   * A memory-mapped heap with a redo log, on ordinary files. The operating system's sync makes it
   * durable.
   */
  FILE,
  /**
   * A memory-mapped heap with a redo log, on persistent memory. Cache-line write-back and fence
   * through libpmem make it durable. If a program names this storage, pmstore treats any directory
   * as persistent memory: for instance one on tmpfs, which emulates persistent memory and survives
   * a process but no reboot. This storage opens a store that was created as {@link #FILE}, and the
   * other way round.
   */
  PERSISTENT_MEMORY,
  /**
   * A pool of Intel's PMDK, through LLPL. Needs the artifact {@code pmstore-llpl}, which {@code
   * pmstore} brings, and the native libraries libpmem, libpmemobj and libpmempool. If a pool was
   * not closed, pmstore first opens it on trial in a process of its own.
   */
  LLPL,
  /**
   * A heap in main memory, made durable by two small pools of images, on persistent memory or an
   * ordinary disk, and by files to which a background thread moves what the pools hold. The whole
   * heap has to fit into main memory, and opening a store reads all of it. Needs the artifact
   * {@code pmstore-tiered}, which {@code pmstore} brings.
   */
  TIERED
}
