package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;

/**
 * The directory of a store on some kind of memory. All changes to its entries go through this
 * interface, and are durable after {@link #syncDirectory}.
 */
public interface Medium {
  /** Returns the path of the directory, for messages. */
  Path directory();

  /**
   * Returns true if a store to a file's mapped bytes may become durable by itself at any later
   * time, as on persistent memory. Returns false if it stays in memory until {@link
   * MediumFile#write} takes the bytes to the file.
   */
  boolean storesInPlace();

  /** Returns the unit of {@link MediumFile#writeBack} in bytes, a power of two. */
  int writeBackUnit();

  /**
   * Returns the names of the directory's entries, without {@code lost+found}, which the root
   * directory of every ext file system has.
   */
  SortedSet<String> list() throws IOException;

  /**
   * Creates an empty file and opens it.
   *
   * @param name of a file that does not exist
   */
  MediumFile create(String name) throws IOException;

  /** Opens an existing file for reading and writing. */
  MediumFile open(String name) throws IOException;

  /** Renames a file. After a crash the new name means the new file or what it meant before. */
  void rename(String from, String to) throws IOException;

  /** Deletes an existing file. */
  void delete(String name) throws IOException;

  /** Deletes a file, if it exists. */
  default void deleteIfThere(String name) throws IOException {
    if (list().contains(name)) {
      delete(name);
    }
  }

  /** Makes the changes to the directory's entries durable. */
  void syncDirectory() throws IOException;
}
