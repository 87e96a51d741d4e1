package io.pmstore.core.engine.mapped;

import io.pmstore.StoreLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive right to a store's directory: against other processes by a lock on a file, which the kernel gives up when the
 * process ends in whatever way; within this one by a registry.
 *
 * <p>The lock file is opened once for each holder and never otherwise: closing any descriptor of it would give up this
 * process's lock without a sign. Reading and writing go through {@link RandomAccessFile}, which interrupts do not close.
 */
final class StoreLock implements AutoCloseable {
  // By the identity of the directory, so that a symbolic link to it is the same store.
  private static final Map<Object, Path> OPEN_HERE = new ConcurrentHashMap<>();
  private static final Queue<RandomAccessFile> NEVER_CLOSED = new ConcurrentLinkedQueue<>();
  private static final int EVIDENCE_MAX = 200;

  private final Object key;
  private final RandomAccessFile file;

  private StoreLock(Object key, RandomAccessFile file) {
    this.key = key;
    this.file = file;
  }

  /**
   * Locks a store.
   *
   * @param directory of the store; it is there
   */
  static StoreLock acquire(Path directory) throws IOException {
    Object key = identity(directory);
    Path other = OPEN_HERE.putIfAbsent(key, directory);
    if (other != null) {
      throw new StoreLockedException(
          "the store in %s is open in this process already%s; use that one, or close it first"
              .formatted(directory, other.equals(directory) ? "" : ", as " + other));
    }
    try {
      return new StoreLock(key, lock(directory.resolve(StoreLayout.LOCK)));
    } catch (Throwable e) {
      OPEN_HERE.remove(key);
      throw e;
    }
  }

  private static Object identity(Path directory) throws IOException {
    Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    return key != null ? key : directory.toRealPath();
  }

  private static RandomAccessFile lock(Path path) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    @Nullable FileLock lock;
    try {
      lock = file.getChannel().tryLock();
    } catch (OverlappingFileLockException e) {
      // Another copy of this class, of another class loader, holds it: closing our descriptor would give up its lock.
      NEVER_CLOSED.add(file);
      throw new StoreLockedException(
          "%s is locked by another part of this process; close the store there first"
              .formatted(path),
          e);
    } catch (Throwable e) {
      file.close();
      throw e;
    }
    if (lock == null) {
      try (file) {
        throw new StoreLockedException(
            ("%s is locked: the store is open in another process (%s); close it there first, one"
                    + " process at a time can have a store open")
                .formatted(path, evidence(file)));
      }
    }
    try {
      sign(file);
      return file;
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  private static String evidence(RandomAccessFile file) throws IOException {
    byte[] bytes = new byte[(int) Math.min(EVIDENCE_MAX, file.length())];
    file.readFully(bytes);
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    return text.isEmpty() ? "which left no trace in the lock file" : "it says: " + text;
  }

  private static void sign(RandomAccessFile file) throws IOException {
    String text =
        "pmstore, process %d, since %s%n"
            .formatted(
                ProcessHandle.current().pid(), Instant.now().truncatedTo(ChronoUnit.SECONDS));
    file.setLength(0);
    file.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      OPEN_HERE.remove(key);
    }
  }
}
