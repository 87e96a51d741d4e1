package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.StoreLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The right to open a store: one holder for each store directory, among all processes and all
 * threads of this one, whatever path the directory is reached by.
 *
 * <p>It is a lock of the operating system on the file {@value #FILE} in the directory, so that it
 * vanishes with its process, and an entry in a table of this JVM, because such locks belong to
 * whole processes. The file stays when the lock is given back and holds the process id of the last
 * holder, for messages. Nothing else may open that file: closing any channel on it would drop the
 * lock of the whole process.
 *
 * <p>Safe for use by several threads.
 */
public final class StoreLock {
  /** The name of the lock file in the store directory. */
  public static final String FILE = "lock";

  // Guards HELD, and makes checking it and opening or closing the channel one step.
  private static final Object MONITOR = new Object();
  private static final Set<Object> HELD = new HashSet<>();

  private final Path directory;
  private final Set<Object> keys;
  private @Nullable RandomAccessFile file;

  private StoreLock(Path directory, Set<Object> keys, RandomAccessFile file) {
    this.directory = directory;
    this.keys = keys;
    this.file = file;
  }

  /**
   * Takes the lock of a store, without waiting for it.
   *
   * @param directory the store's directory, which exists
   * @return the lock, to be given back with {@link #release}
   * @throws StoreLockedException if this process or another has it; the message says which
   * @throws PmStoreException if the lock file cannot be made, opened or locked
   */
  public static StoreLock acquire(Path directory) {
    Path file = directory.resolve(FILE);
    synchronized (MONITOR) {
      try {
        // Not through open(): closing a second channel on a locked file would drop the lock.
        createIfMissing(file);
        Set<Object> keys = Set.of(key(directory), key(file));
        for (Object key : keys) {
          if (HELD.contains(key)) {
            throw new StoreLockedException(
                "store %s is open already in this process; share that one, or close it first"
                    .formatted(directory));
          }
        }
        StoreLock lock = new StoreLock(directory, keys, lock(directory, file));
        HELD.addAll(keys);
        return lock;
      } catch (IOException e) {
        throw new PmStoreException(
            "cannot lock store %s through its file %s: %s; the directory must exist and be writable, on a file system with locks"
                .formatted(directory, file, e),
            e);
      }
    }
  }

  private static void createIfMissing(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException expected) {
      // Opened before.
    }
  }

  /** What identifies a file however it is named. */
  private static Object key(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key != null ? key : path.toRealPath();
  }

  private static RandomAccessFile lock(Path directory, Path path) throws IOException {
    // Not a plain channel: reading or writing one in an interrupted thread would close it.
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    boolean locked = false;
    try {
      FileLock lock = file.getChannel().tryLock();
      if (lock == null) {
        throw new StoreLockedException(
            "store %s is open in another process (%s); close it there first"
                .formatted(directory, holder(file)));
      }
      file.setLength(0);
      file.write((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII));
      locked = true;
      return file;
    } catch (OverlappingFileLockException e) {
      throw new StoreLockedException(
          "store %s: something else in this process has locked %s; close it first"
              .formatted(directory, path),
          e);
    } finally {
      if (!locked) {
        file.close();
      }
    }
  }

  private static String holder(RandomAccessFile file) throws IOException {
    byte[] bytes = new byte[20];
    int length = Math.max(0, file.read(bytes));
    String pid = new String(bytes, 0, length, StandardCharsets.US_ASCII).strip();
    return pid.isEmpty() ? "which has not yet written its process id" : "process id " + pid;
  }

  /**
   * Gives the lock back. Doing so twice does nothing more.
   *
   * @throws PmStoreException if the operating system does not give it back; it does so when the
   *     process ends
   */
  public void release() {
    synchronized (MONITOR) {
      RandomAccessFile held = file;
      if (held == null) {
        return;
      }
      file = null;
      try {
        held.close();
      } catch (IOException e) {
        throw new PmStoreException(
            "cannot give back the lock of store %s: %s; it ends with this process"
                .formatted(directory, e),
            e);
      } finally {
        HELD.removeAll(
            keys); // after the close, which would otherwise drop the lock of the next holder
      }
    }
  }
}
