package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A file or directory that can be locked as a whole: by one who writes, or by any number who read.
 *
 * <p>The lock belongs to this object, not to the process: two objects exclude each other whoever
 * opened them, and closing another descriptor of the same file does not take it away, as it would
 * take away a lock of {@link java.nio.channels.FileChannel}. It conflicts with such locks. It ends
 * with the process.
 *
 * <p>Not safe for use by several threads.
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
  private static final long TYPE = FLOCK.byteOffset(PathElement.groupElement("type"));

  private static final MethodHandle FCNTL =
      NativeCalls.withErrno(
          "fcntl",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle LOCK =
      NativeCalls.withErrno("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private final PosixFile file;
  private final boolean isDirectory;

  private LockFile(PosixFile file, boolean isDirectory) {
    this.file = file;
    this.isDirectory = isDirectory;
  }

  /**
   * Opens a file for a lock of either kind; makes it if it is not there.
   *
   * @param path of the file
   * @return the open file
   * @throws IOException if it cannot be opened or made
   */
  public static LockFile open(Path path) throws IOException {
    return new LockFile(PosixFile.openOrCreate(path), false);
  }

  /**
   * Opens a file for a shared lock.
   *
   * @param path of the file
   * @return the open file
   * @throws IOException if it cannot be opened
   */
  public static LockFile openForReading(Path path) throws IOException {
    return new LockFile(PosixFile.openForReading(path), false);
  }

  /**
   * Opens a directory for a lock of either kind.
   *
   * @param path of the directory
   * @return the open directory
   * @throws IOException if it cannot be opened
   */
  public static LockFile openDirectory(Path path) throws IOException {
    return new LockFile(PosixFile.openDirectory(path), true);
  }

  /**
   * Takes the lock, without waiting for it.
   *
   * @param shared true to read
   * @return false if somebody has it who excludes this one
   * @throws IOException if the file system has no such locks
   */
  public boolean tryLock(boolean shared) throws IOException {
    int errno =
        isDirectory
            ? lockDirectory((shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
            : lockFile(shared ? F_RDLCK : F_WRLCK);
    if (errno == NativeCalls.EAGAIN || errno == NativeCalls.EACCES) {
      return false;
    }
    if (errno != 0) {
      throw new MediumException("locking " + file.path(), errno);
    }
    return true;
  }

  private int lockDirectory(int operation) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      int errno;
      do {
        int result = (int) LOCK.invokeExact(state, file.descriptor(), operation);
        errno = result == 0 ? 0 : NativeCalls.errno(state);
      } while (errno == NativeCalls.EINTR);
      return errno;
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  private int lockFile(short type) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = arena.allocate(FLOCK);
      lock.set(JAVA_SHORT, TYPE, type);
      return control(arena, F_OFD_SETLK, lock);
    }
  }

  private int control(Arena arena, int command, MemorySegment lock) {
    try {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      int result = (int) FCNTL.invokeExact(state, file.descriptor(), command, lock);
      return result == 0 ? 0 : NativeCalls.errno(state);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /**
   * Says who keeps this from locking a file for writing.
   *
   * @return true if those who have it locked read
   */
  public boolean isLockedByReaders() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lock = arena.allocate(FLOCK);
      lock.set(JAVA_SHORT, TYPE, F_WRLCK);
      return control(arena, F_OFD_GETLK, lock) == 0 && lock.get(JAVA_SHORT, TYPE) == F_RDLCK;
    }
  }

  /**
   * The text in the file.
   *
   * @return its first bytes, without white space around them
   * @throws IOException if it cannot be read
   */
  public String text() throws IOException {
    byte[] bytes = new byte[(int) Math.min(TEXT_MAX, file.size())];
    file.read(0, bytes, 0, bytes.length);
    return new String(bytes, StandardCharsets.US_ASCII).strip();
  }

  /**
   * Replaces the text in the file.
   *
   * @param text short, in ASCII
   * @throws IOException if it cannot be written
   */
  public void text(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    file.write(0, bytes, 0, bytes.length); // first, over the old text: a full disk has room for it
    file.truncate(bytes.length);
  }

  /**
   * Gives the lock back and closes the file.
   *
   * @throws IOException if it cannot be closed
   */
  @Override
  public void close() throws IOException {
    // Said aloud: a process that is just being started from this one may still have the descriptor.
    if (isDirectory) {
      lockDirectory(LOCK_UN);
    } else {
      lockFile(F_UNLCK);
    }
    file.close();
  }
}
