package io.pmstore;

/**
 * The kind of memory or files that holds a store's bytes. A program opens a store with the storage
 * that created it, or with {@link #AUTO}. An engine of another artifact may have no value here;
 * {@link PmStoreOptions#engine(String)} names such an engine.
 */
public enum Storage {
  /**
   * The storage with which an existing store was created. A new store gets {@link
   * #PERSISTENT_MEMORY} on a file system mounted with DAX, and {@link #FILE} elsewhere. If a store
   * of {@link #PERSISTENT_MEMORY} was copied to an ordinary disk, or if libpmem is missing, pmstore
   * opens the store as {@link #FILE}, which is slower.
   */
  AUTO,
  /**
   * A memory-mapped heap with a redo log, on ordinary files. A sync of the operating system makes
   * changes durable.
   */
  FILE,
  /**
   * A memory-mapped heap with a redo log, on persistent memory. Write-back of cache lines and a
   * fence, through libpmem, make changes durable. Needs the native library libpmem. This storage
   * also opens a store that was created as {@link #FILE}, and {@link #FILE} opens one of this
   * storage.
   *
   * <p>If a program names this storage, pmstore treats any directory as persistent memory. A
   * directory on tmpfs emulates it: its files survive the end of a process but not a reboot. <b>On
   * an ordinary disk a power cut can lose acknowledged transactions</b>, and pmstore logs a
   * warning.
   */
  PERSISTENT_MEMORY,
  /**
   * A pool of Intel's PMDK, through LLPL. Needs the artifact {@code pmstore-llpl}, on which {@code
   * pmstore} depends, the native libraries libpmem, libpmemobj and libpmempool, and an x86-64
   * processor. If a pool was not closed, pmstore first opens it on trial in another process.
   */
  LLPL,
  /**
   * A heap in main memory. Two small pools of images, on persistent memory or an ordinary disk,
   * make changes durable; a background thread moves the contents of a full pool to files. The whole
   * heap has to fit into main memory, and opening a store reads all of it. Needs the artifact
   * {@code pmstore-tiered}, on which {@code pmstore} depends.
   */
  TIERED
}
