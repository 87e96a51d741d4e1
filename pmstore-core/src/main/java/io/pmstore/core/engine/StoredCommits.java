package io.pmstore.core.engine;

import java.util.OptionalLong;

/**
 * The commits that the files of a store still have, one by one or many together. Other processes
 * may read the store meanwhile, but no process may have it open for writing. Reading them changes
 * nothing. Not thread-safe.
 */
public interface StoredCommits extends AutoCloseable {
  /** What the next opening of the store does with an entry. */
  enum State {
    /** Nothing: its changes are elsewhere, too. */
    APPLIED,
    /** Nothing: later entries have changed the same bytes. */
    SUPERSEDED,
    /** It applies the entry to the heap, which lacks the changes. */
    TO_REPLAY,
    /** It loads the entry, as it loads all of the heap. */
    TO_LOAD,
    /** It discards the entry: a crash left parts of a commit. */
    INCOMPLETE
  }

  /**
   * A record of a commit, or the contents of a file that has what many commits wrote.
   *
   * @param position of the commit; of the last one if they are many
   * @param part from 0 on, if a commit has several entries
   * @param epoch the opening for writing that made it; empty if the engine does not note that
   * @param file the name of the file that has it
   * @param offset of its first byte in the file
   * @param bytes its size in the file, headers included
   * @param state what the next opening does with it
   * @param changes what it has changed, read anew from the files with each use
   */
  record Entry(
      long position,
      int part,
      OptionalLong epoch,
      String file,
      long offset,
      long bytes,
      State state,
      Changes changes) {}

  /** The changes of an entry. */
  @FunctionalInterface
  interface Changes {
    /**
     * Shows all of them.
     *
     * @throws io.pmstore.StoreDamagedException if the file is not as it was written
     */
    void forEach(ChangeVisitor visitor);
  }

  /** Gets changes. What is at an address may be something else by now. */
  interface ChangeVisitor {
    /**
     * Gets an object whose words were changed.
     *
     * @param address of the object, or of a word that belongs to none, such as a counter
     */
    void object(long address);

    /**
     * Gets an object that was freed.
     *
     * @param address where it was
     */
    void freed(long address);

    /**
     * Gets bytes of which some were changed.
     *
     * @param address of the first byte
     * @param length how many they are
     */
    void bytes(long address, int length);
  }

  /** Gets entries. */
  @FunctionalInterface
  interface Visitor {
    void entry(Entry entry);
  }

  /**
   * Shows the entries, those of earlier positions first.
   *
   * @param from the position of the first one wanted
   */
  void forEach(long from, Visitor visitor);

  /** Returns the size in bytes of the files that have entries. */
  long size();

  /** Returns true if the store was closed, and so has nothing to replay. */
  boolean isClosed();

  @Override
  void close();
}
