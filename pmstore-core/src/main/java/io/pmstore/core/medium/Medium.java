package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;

/**
 * The directory of a store on some kind of memory. All changes to its entries go through here, and
 * are durable after {@link #syncDirectory}.
 */
public interface Medium {
  /**
   * The directory.
   *
   * @return its path, for messages
   */
  Path directory();

  /**
   * Says how stores to a file's mapped bytes relate to the file.
   *
   * @return true if a store may become durable by itself at any later time, as on persistent
   *     memory; false if it stays in memory until {@link MediumFile#writeBack}
   */
  boolean storesInPlace();

  /**
   * The grain of {@link MediumFile#writeBack}.
   *
   * @return the bytes, a power of two
   */
  int writeBackUnit();

  /**
   * The names of the directory's entries.
   *
   * @return the names
   * @throws IOException if the directory cannot be read
   */
  SortedSet<String> list() throws IOException;

  /**
   * Makes an empty file and opens it.
   *
   * @param name of a file that is not there
   * @return the open file
   * @throws IOException if it cannot be made
   */
  MediumFile create(String name) throws IOException;

  /**
   * Opens a file for reading and writing.
   *
   * @param name of a file that is there
   * @return the open file
   * @throws IOException if it cannot be opened
   */
  MediumFile open(String name) throws IOException;

  /**
   * Renames a file; the name it gets then means the new file or, after a crash, what it meant
   * before.
   *
   * @param from the old name
   * @param to the new name
   * @throws IOException if it cannot be renamed
   */
  void rename(String from, String to) throws IOException;

  /**
   * Deletes a file.
   *
   * @param name of a file that is there
   * @throws IOException if it cannot be deleted
   */
  void delete(String name) throws IOException;

  /**
   * Makes the changes to the directory's entries durable.
   *
   * @throws IOException if that failed
   */
  void syncDirectory() throws IOException;
}
