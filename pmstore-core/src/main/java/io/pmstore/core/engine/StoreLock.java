package io.pmstore.core.engine;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFullException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.LockFile;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a store directory. It admits one writer or any number of readers, among all processes
 * and all class loaders of this one, for all paths that lead to the directory.
 *
 * <p>It consists of a lock of the operating system on the file {@value #FILE} in the directory, and
 * one on the directory itself. The second lock is needed if the file was deleted, or if a reader
 * finds none, because readers do not create it. Both locks end with the process. The file stays
 * after a release. It contains the process id of the last writer, for messages.
 *
 * <p>Thread-safe.
 */
public final class StoreLock {
  /** The name of the lock file in the store directory. */
  public static final String FILE = "lock";

  // The stores that this class loader has locked for writing; for messages only.
  private static final Set<Object> WRITTEN_HERE = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final boolean shared;
  private final AccessRights rights;
  private @Nullable LockFile file;
  private @Nullable LockFile directoryFile;
  private @Nullable Object key;

  private StoreLock(Path directory, boolean shared, AccessRights rights) {
    this.directory = directory;
    this.shared = shared;
    this.rights = rights;
  }

  /**
   * Locks a store for writing, without waiting. A new lock file is accessible to its owner only.
   *
   * @param directory the store's directory, which exists
   * @return the lock, which the caller {@linkplain #release releases}
   */
  public static StoreLock acquire(Path directory) {
    return acquire(directory, AccessRights.OWNER);
  }

  /**
   * Locks a store for writing, without waiting.
   *
   * @param directory the store's directory, which exists
   * @param rights of the lock file if it is created
   * @return the lock, which the caller {@linkplain #release releases}
   * @throws StoreLockedException if this process or another has the lock; the message says which
   * @throws StoreFullException if there is no room for the lock file
   * @throws PmStoreException if the lock file cannot be created, opened or locked
   */
  public static StoreLock acquire(Path directory, AccessRights rights) {
    return new StoreLock(directory, false, rights).acquire();
  }

  /**
   * Locks a store for reading, without waiting. Neither the directory nor the lock file needs to be
   * writable.
   *
   * @param directory the store's directory, which exists
   * @return the lock, which the caller {@linkplain #release releases}
   * @throws StoreLockedException if this process or another has the store open for writing
   * @throws PmStoreException if nothing can be locked
   */
  public static StoreLock acquireShared(Path directory) {
    return new StoreLock(directory, true, AccessRights.OWNER).acquire();
  }

  private StoreLock acquire() {
    try {
      if (shared) {
        lockToRead();
      } else {
        lockToWrite();
      }
      return this;
    } catch (IOException e) {
      PmStoreException thrown = cannotLock(e);
      closeAfter(thrown, this::release);
      throw thrown;
    } catch (RuntimeException e) {
      closeAfter(e, this::release);
      throw e;
    }
  }

  private PmStoreException cannotLock(IOException e) {
    if (e instanceof MediumException medium && medium.noRoom()) {
      return new StoreFullException(
          "there is no room for the file %s, which locks the store: %s; free some space"
              .formatted(directory.resolve(FILE), e.getMessage()),
          e);
    }
    return new PmStoreException(
        "cannot lock store %s through its file %s: %s; the directory must exist and be %s, on a file system with locks"
            .formatted(
                directory,
                directory.resolve(FILE),
                e instanceof MediumException ? e.getMessage() : e,
                shared ? "readable" : "writable (PmStoreOptions.readOnly reads one that is not)"),
        e);
  }

  private void lockToWrite() throws IOException {
    LockFile opened = LockFile.open(directory.resolve(FILE), rights);
    file = opened;
    Object identity = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    if (!opened.tryLock(false)) {
      throw refused(opened, identity);
    }
    lockDirectory();
    opened.text(NativeCalls.processId() + "\n");
    if (identity != null) {
      key = identity;
      WRITTEN_HERE.add(identity);
    }
  }

  private void lockToRead() throws IOException {
    Path path = directory.resolve(FILE);
    LockFile opened = Files.exists(path) ? LockFile.openForReading(path) : null;
    file = opened;
    if (opened != null && !opened.tryLock(true)) {
      throw refused(opened, Files.readAttributes(directory, BasicFileAttributes.class).fileKey());
    }
    // A copy of a store may lack the file. A reader does not create it, because it must change
    // nothing.
    if (!lockDirectory() && opened == null) {
      throw new IOException("there is no such file, and the directory cannot be locked instead");
    }
  }

  /** Returns false if the file system does not support locks on directories. */
  private boolean lockDirectory() throws IOException {
    LockFile opened = LockFile.openDirectory(directory);
    directoryFile = opened;
    boolean locked;
    try {
      locked = opened.tryLock(shared);
    } catch (IOException e) {
      return false;
    }
    if (!locked) {
      throw !shared && opened.tryLock(true) ? openForReading() : openUnseen();
    }
    return true;
  }

  private StoreLockedException refused(LockFile opened, @Nullable Object identity)
      throws IOException {
    if (!shared && opened.isLockedByReaders()) {
      return openForReading();
    }
    if (identity != null && WRITTEN_HERE.contains(identity)) {
      return new StoreLockedException(
          "store %s is open already in this process; share that one, or close it first"
              .formatted(directory));
    }
    String pid = opened.text();
    return new StoreLockedException(
        "store %s is open in another process (%s); close it there first"
            .formatted(
                directory,
                pid.isEmpty() ? "which has not yet written its process id" : "process id " + pid));
  }

  private StoreLockedException openForReading() {
    return new StoreLockedException(
        "store %s is open for reading, in this process or another; close it there first"
            .formatted(directory));
  }

  private StoreLockedException openUnseen() {
    return new StoreLockedException(
        "store %s is open already, and its file %s was deleted meanwhile; close it where it is open"
            .formatted(directory, FILE));
  }

  /**
   * Releases the lock. A second call does nothing.
   *
   * @throws PmStoreException if the operating system does not release it; it does when the process
   *     ends
   */
  public synchronized void release() {
    if (key != null) {
      WRITTEN_HERE.remove(key);
      key = null;
    }
    try {
      close(directoryFile);
      directoryFile = null;
      close(file);
      file = null;
    } catch (IOException e) {
      throw new PmStoreException(
          "cannot release the lock of store %s: %s; the lock ends with this process"
              .formatted(directory, e),
          e);
    }
  }

  private static void close(@Nullable LockFile file) throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
