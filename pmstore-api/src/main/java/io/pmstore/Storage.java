package io.pmstore;

/** What keeps a store's bytes. A store is opened with the storage it was created with. */
public enum Storage {
  /**
   * An existing store keeps what it was created with; a new one becomes {@link #PERSISTENT_MEMORY}
   * on a file system mounted with DAX and {@link #FILE} elsewhere.
   */
  AUTO,
  /**
   * A memory-mapped heap with a redo log, on ordinary files: made durable by the operating system's
   * sync.
   */
  FILE,
  /**
   * A memory-mapped heap with a redo log, on persistent memory: made durable by cache-line
   * write-back and fence through libpmem. Chosen by name it treats any directory so, for instance
   * one on tmpfs, which emulates persistent memory and survives a process but no reboot. A store
   * made as {@link #FILE} can be opened so and the other way round.
   */
  PERSISTENT_MEMORY,
  /**
   * A pool of Intel's PMDK, through LLPL. Needs the native libraries libpmem, libpmemobj and
   * libpmempool. A pool that was not closed is tried in a process of its own before it is opened.
   */
  LLPL
}
