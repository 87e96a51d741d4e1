package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file or directory that can be locked as a whole, by one writer or any number of readers.
 *
 * <p>The lock belongs to this object, not to the process. Two objects exclude each other, in one
 * process too. Closing another descriptor of the same file does not release the lock, whereas it
 * releases a lock of {@link java.nio.channels.FileChannel}; the two kinds conflict with each other.
 * The lock ends with the process.
 *
 * <p>Not thread-safe.
 */
public final class LockFile implements AutoCloseable {
  private static final int F_OFD_GETLK = 36;
  private static final int F_OFD_SETLK = 37;
  private static final short F_RDLCK = 0;
  private static final short F_WRLCK = 1;
  private static final short F_UNLCK = 2;
  private static final int LOCK_SH = 1;
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;
  private static final int LOCK_UN = 8;
  private static final int TEXT_MAX = 64;

  private static final MemoryLayout FLOCK =
      MemoryLayout.structLayout(
          JAVA_SHORT.withName("type"),
          JAVA_SHORT.withName("whence"),
          MemoryLayout.paddingLayout(4),
          JAVA_LONG.withName("start"),
          JAVA_LONG.withName("length"), // 0: to the end
          JAVA_INT.withName("pid"),
          MemoryLayout.paddingLayout(4));
  private static final long TYPE = 0;

  private static final MemorySegment FCNTL = NativeCalls.function("fcntl");
  private static final MemorySegment LOCK = NativeCalls.function("flock");

  private final PosixFile file;
  private final boolean isDirectory;

  private LockFile(PosixFile file, boolean isDirectory) {
    this.file = file;
    this.isDirectory = isDirectory;
  }

  /**
   * Opens a file for a lock of either kind, and creates it if it does not exist.
   *
   * @param rights of the file if it is created
   */
  public static LockFile open(Path path, AccessRights rights) throws IOException {
    return new LockFile(PosixFile.openOrCreate(path, rights), false);
  }

  /** Opens a file for a shared lock. */
  public static LockFile openForReading(Path path) throws IOException {
    return new LockFile(PosixFile.openForReading(path), false);
  }

  /** Opens a directory for a lock of either kind. */
  public static LockFile openDirectory(Path path) throws IOException {
    return new LockFile(PosixFile.openForReading(path), true);
  }

  /**
   * Takes the lock without waiting. Returns false if another holder excludes it.
   *
   * @param shared true to lock for reading
   * @throws IOException if the file system does not support such locks
   */
  public boolean tryLock(boolean shared) throws IOException {
    int errno =
        isDirectory
            ? file.call(LOCK, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB, 0)
            : lockFile(shared ? F_RDLCK : F_WRLCK);
    if (errno == NativeCalls.EAGAIN || errno == NativeCalls.EACCES) {
      return false;
    }
    if (errno != 0) {
      throw new MediumException("locking " + file.path(), errno);
    }
    return true;
  }

  private int lockFile(short type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = arena.allocate(FLOCK);
      lock.set(JAVA_SHORT, TYPE, type);
      return file.callOnce(FCNTL, F_OFD_SETLK, lock.address());
    }
  }

  /** Returns true if readers, not a writer, keep this file from being locked for writing. */
  public boolean isLockedByReaders() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = arena.allocate(FLOCK);
      lock.set(JAVA_SHORT, TYPE, F_WRLCK);
      return file.callOnce(FCNTL, F_OFD_GETLK, lock.address()) == 0
          && lock.get(JAVA_SHORT, TYPE) == F_RDLCK;
    }
  }

  /** Returns the text in the file: its first bytes, without white space around them. */
  public String text() throws IOException {
    byte[] bytes = new byte[(int) Math.min(TEXT_MAX, file.size())];
    file.read(0, bytes, 0, bytes.length);
    return new String(bytes, StandardCharsets.US_ASCII).strip();
  }

  /** Replaces the text in the file by a short ASCII text. */
  public void text(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    file.write(0, bytes, 0, bytes.length); // first, over the old text: this works on a full disk
    file.truncate(bytes.length);
  }

  /** Releases the lock and closes the file. */
  @Override
  public void close() throws IOException {
    // Unlocked explicitly: a process that this one is just starting may still have the
    // descriptor.
    if (isDirectory) {
      var _ = file.call(LOCK, LOCK_UN, 0);
    } else {
      lockFile(F_UNLCK);
    }
    file.close();
  }
}
