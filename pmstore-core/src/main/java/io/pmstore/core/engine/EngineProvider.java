package io.pmstore.core.engine;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Opens the stores of one engine. Found by {@link java.util.ServiceLoader}, on the class path and
 * on the module path.
 *
 * <p>A provider has no state, and its class needs nothing that may be missing, such as a native
 * library: core asks every provider whether it {@link #recognizes} a directory. Opening a store
 * checks what the engine needs, and the exception says how to get it.
 */
public interface EngineProvider {
  /**
   * Returns the engine's name, by which {@link PmStoreOptions#engine(String)} chooses it: one word
   * that no other engine has.
   */
  String name();

  /**
   * Returns the storages for which the engine creates and opens stores. Each storage has one
   * provider, {@link Storage#AUTO} too. An engine without a storage is chosen by its name.
   */
  Set<Storage> storages();

  /**
   * Returns true if a directory has files of this engine's store, whole or damaged. Changes and
   * throws nothing.
   *
   * @param directory need not exist
   */
  boolean recognizes(Path directory);

  /**
   * Returns true if a directory has a store to open, and false if {@link #open} would create one.
   * Changes nothing.
   *
   * @param directory need not exist, but no other engine recognizes it
   * @throws PmStoreException if there can be neither: the directory cannot be read, holds something
   *     else, or parts of a store
   */
  default boolean holdsStore(Path directory) {
    return StorePlatform.isDirectory(directory) && recognizes(directory);
  }

  /**
   * Returns what the header of a store says. Changes nothing and takes no lock, so a store that is
   * being written may give facts of a moment ago.
   *
   * @param directory that this engine recognizes
   * @return empty if the engine's header cannot be read without opening the store
   * @throws StoreFormatException if the directory holds another format version
   * @throws io.pmstore.StoreDamagedException if the header is damaged
   */
  default Optional<StoreFacts> facts(Path directory) throws IOException {
    return Optional.empty();
  }

  /**
   * Opens what the files of a store have of its commits, beside other readers. Changes nothing.
   *
   * @param directory that this engine recognizes
   * @return empty if the engine keeps no record of commits that it could show
   * @throws io.pmstore.StoreLockedException if a process has the store open for writing
   * @throws io.pmstore.StoreDamagedException if it is damaged
   * @throws PmStoreException if it cannot be read
   */
  default Optional<StoredCommits> storedCommits(Path directory) {
    return Optional.empty();
  }

  /** Returns what the group may do with the files of a store. */
  GroupAccess groupAccess(Path directory) throws IOException;

  /**
   * Opens the store in a directory, or creates one if there is none and the options are not {@link
   * PmStoreOptions#readOnly}.
   *
   * @param directory of the store; created if it does not exist
   * @param options with a storage of {@link #storages} or {@link Storage#AUTO}
   * @throws io.pmstore.StoreLockedException if the store is open already
   * @throws StoreFormatException if the directory holds something else, or another format version
   * @throws io.pmstore.StoreDamagedException if it is damaged
   * @throws io.pmstore.StoreFullException if there is no room for a new store
   * @throws PmStoreException if the engine cannot run here, or cannot do what the options ask for;
   *     the message says what to do
   */
  Engine open(Path directory, PmStoreOptions options);

  /** Opens a store to verify it, as carefully as the engine can. Throws as {@link #open} does. */
  default Engine openToVerify(Path directory, PmStoreOptions options) {
    return open(directory, options);
  }

  /**
   * Examines what can be repaired of a closed store; changes nothing.
   *
   * @throws StoreFormatException if there is no store, or the engine cannot repair one
   * @throws PmStoreException if the store cannot be repaired; the message says why
   */
  EngineRepair repair(Path directory);

  /**
   * Prepares a directory for the backup of a store of any engine. Only the provider of {@link
   * Storage#FILE} is asked.
   *
   * @param directory absent, empty, or left by an interrupted creation
   * @param group what the group may do with the files
   * @throws StoreFormatException if the directory is not empty
   * @throws io.pmstore.StoreLockedException if another process or thread is using it
   * @throws io.pmstore.StoreFullException if there is no room
   * @throws PmStoreException if the directory cannot be written
   */
  default BackupTarget backupTo(Path directory, GroupAccess group) {
    throw new PmStoreException(
        "%s: backups are not written as stores of the engine %s; write them with the engine of Storage.FILE"
            .formatted(directory, name()));
  }
}
