package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.pmstore.core.memory.NativeCalls;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file descriptor, and Linux calls on it. An interrupt of the calling thread affects no method.
 *
 * <p>Thread-safe, except {@link #close}.
 */
final class PosixFile implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int O_CREAT = 0100;
  private static final int O_EXCL = 0200;
  private static final int O_CLOEXEC = 02000000;
  private static final int SEEK_END = 2;
  private static final int CHUNK = 1 << 20;

  private static final MemorySegment OPEN = NativeCalls.function("open");
  private static final MemorySegment CLOSE = NativeCalls.function("close");
  private static final MemorySegment LSEEK = NativeCalls.function("lseek");
  private static final MemorySegment PREAD = NativeCalls.function("pread");
  private static final MemorySegment PWRITE = NativeCalls.function("pwrite");
  private static final MemorySegment FDATASYNC = NativeCalls.function("fdatasync");
  private static final MemorySegment FSYNC = NativeCalls.function("fsync");
  private static final MemorySegment FTRUNCATE = NativeCalls.function("ftruncate");
  private static final MemorySegment FCHMOD = NativeCalls.function("fchmod");
  private static final MemorySegment FALLOCATE = NativeCalls.function("posix_fallocate");

  /** True if the JDK resolves relative paths in another way than Linux does: with -Duser.dir. */
  private static final boolean JDK_RESOLVES = jdkResolves();

  private final Path path;
  private final int descriptor;
  private boolean closed;

  private final CallBuffers buffers = new CallBuffers();

  private PosixFile(Path path, int descriptor) {
    this.path = path;
    this.descriptor = descriptor;
  }

  private static boolean jdkResolves() {
    try {
      Path current = Files.readSymbolicLink(Path.of("/proc/self/cwd"));
      return !current.equals(Path.of("").toAbsolutePath());
    } catch (IOException e) {
      return true;
    }
  }

  /** Creates a file that does not exist. */
  static PosixFile create(Path path, AccessRights rights) throws MediumException {
    PosixFile made = open("creating", path, O_RDWR | O_CREAT | O_EXCL);
    return made.grant(rights);
  }

  static PosixFile open(Path path) throws MediumException {
    return open("opening", path, O_RDWR);
  }

  /** Opens a file, and creates it with {@code rights} if it does not exist. */
  static PosixFile openOrCreate(Path path, AccessRights rights) throws MediumException {
    while (true) {
      try {
        return create(path, rights);
      } catch (MediumException e) {
        if (e.errno() != NativeCalls.EEXIST) {
          throw e;
        }
      }
      try {
        return open(path);
      } catch (MediumException e) {
        if (e.errno() != NativeCalls.ENOENT) { // otherwise it was deleted in between
          throw e;
        }
      }
    }
  }

  /** Opens a file or a directory. */
  static PosixFile openForReading(Path path) throws MediumException {
    return open("opening", path, 0);
  }

  private static PosixFile open(String action, Path path, int flags) throws MediumException {
    int descriptor;
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      Path resolved = JDK_RESOLVES ? path.toAbsolutePath() : path;
      MemorySegment name = NativeCalls.path(resolved.toString(), arena);
      do {
        descriptor =
            (int)
                NativeCalls.call(
                    OPEN, state, name.address(), flags | O_CLOEXEC, AccessRights.FILE_MODE, 0);
        errno = NativeCalls.errno(state);
      } while (descriptor < 0 && errno == NativeCalls.EINTR);
    }
    if (descriptor < 0) {
      throw new MediumException(action + " " + path, errno);
    }
    return new PosixFile(path, descriptor);
  }

  /** Sets the rights of a file that was just created; closes it if that fails. */
  private PosixFile grant(AccessRights rights) throws MediumException {
    int mode = rights.fileMode();
    if (mode == AccessRights.FILE_MODE) {
      return this;
    }
    int errno = call(FCHMOD, mode, 0);
    if (errno != 0) {
      close();
      throw new MediumException("setting the mode of %s to %o".formatted(path, mode), errno);
    }
    return this;
  }

  /**
   * Calls a function on the descriptor, again after each signal that interrupts it. For calls that
   * are rare: it allocates memory.
   *
   * @param function which returns 0 if it succeeds
   * @return the error number, or 0
   */
  int call(MemorySegment function, long a, long b) {
    int errno;
    do {
      errno = callOnce(function, a, b);
    } while (errno == NativeCalls.EINTR);
    return errno;
  }

  /** Calls a function like {@link #call}, once. */
  int callOnce(MemorySegment function, long a, long b) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      int result = (int) NativeCalls.call(function, state, descriptor, a, b, 0);
      return result == 0 ? 0 : NativeCalls.errno(state);
    }
  }

  Path path() {
    return path;
  }

  int descriptor() {
    return descriptor;
  }

  long size() throws MediumException {
    long size;
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      size = NativeCalls.call(LSEEK, state, descriptor, 0, SEEK_END, 0);
      errno = NativeCalls.errno(state);
    }
    if (size < 0) {
      throw new MediumException("size of " + path, errno);
    }
    return size;
  }

  void read(long offset, byte[] target, int at, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment callState = arena.allocate(NativeCalls.CALL_STATE);
      MemorySegment bytes = arena.allocate(Math.max(1, Math.min(length, CHUNK)));
      int done = 0;
      while (done < length) {
        long n =
            transfer(
                PREAD, "reading", callState, bytes, Math.min(CHUNK, length - done), offset + done);
        if (n == 0) {
          throw new EOFException(
              "%s ends at %d, inside a read of %d bytes at %d"
                  .formatted(path, offset + done, length, offset));
        }
        MemorySegment.copy(bytes, JAVA_BYTE, 0, target, at + done, (int) n);
        done += (int) n;
      }
    }
  }

  void write(long offset, byte[] source, int at, int length) throws MediumException {
    CallBuffers.Buffer buffer = buffers.take();
    try {
      for (int done = 0; done < length; ) {
        int n = Math.min(CHUNK, length - done);
        MemorySegment bytes = buffer.bytes(n);
        MemorySegment.copy(source, at + done, bytes, JAVA_BYTE, 0, n);
        write(offset + done, bytes.asSlice(0, n), buffer.state());
        done += n;
      }
    } finally {
      buffers.give(buffer);
    }
  }

  /** Writes bytes in native memory. */
  void write(long offset, MemorySegment source) throws MediumException {
    CallBuffers.Buffer buffer = buffers.take();
    try {
      write(offset, source, buffer.state());
    } finally {
      buffers.give(buffer);
    }
  }

  private void write(long offset, MemorySegment source, MemorySegment state)
      throws MediumException {
    for (long done = 0; done < source.byteSize(); ) {
      MemorySegment rest = source.asSlice(done);
      long n = transfer(PWRITE, "writing", state, rest, rest.byteSize(), offset + done);
      if (n == 0) {
        // POSIX does not promise progress for a regular file. Refused here, so that it cannot
        // become an endless loop.
        throw new MediumException("writing to " + path + " made no progress", NativeCalls.EIO);
      }
      done += n;
    }
  }

  private long transfer(
      MemorySegment call,
      String action,
      MemorySegment callState,
      MemorySegment bytes,
      long length,
      long offset)
      throws MediumException {
    long n;
    int errno;
    do {
      n = NativeCalls.callWithBytes(call, callState, descriptor, bytes, length, offset);
      errno = NativeCalls.errno(callState);
    } while (n < 0 && errno == NativeCalls.EINTR);
    if (n < 0) {
      throw new MediumException(
          "%s %d bytes at %d of %s".formatted(action, length, offset, path), errno);
    }
    return n;
  }

  /** Makes the file's contents durable, with the metadata that reading them needs. */
  void dataSync() throws MediumException {
    sync(FDATASYNC);
  }

  /** Makes the file durable with all its metadata; for a directory, its entries. */
  void sync() throws MediumException {
    sync(FSYNC);
  }

  private void sync(MemorySegment call) throws MediumException {
    CallBuffers.Buffer buffer = buffers.take();
    MemorySegment state = buffer.state();
    int errno = 0;
    try {
      int result;
      do {
        result = (int) NativeCalls.call(call, state, descriptor, 0, 0, 0);
        errno = result == 0 ? 0 : NativeCalls.errno(state);
      } while (errno == NativeCalls.EINTR);
    } finally {
      buffers.give(buffer);
    }
    if (errno != 0) {
      throw MediumException.ofSync(path, errno);
    }
  }

  void truncate(long size) throws MediumException {
    int errno = call(FTRUNCATE, size, 0);
    if (errno != 0) {
      throw new MediumException("truncating %s to %d bytes".formatted(path, size), errno);
    }
  }

  /**
   * Grows the file and allocates space on the device without writing. Returns false if the file
   * system does not support it.
   */
  boolean reserve(long from, long to) throws MediumException {
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      do {
        errno = (int) NativeCalls.call(FALLOCATE, state, descriptor, from, to - from, 0);
      } while (errno == NativeCalls.EINTR);
    }
    if (errno == NativeCalls.EOPNOTSUPP || errno == NativeCalls.EINVAL) {
      return false;
    }
    if (errno != 0) {
      throw new MediumException(
          "allocating %d bytes at %d of %s".formatted(to - from, from, path), errno);
    }
    return true;
  }

  void zero(long from, long to) throws MediumException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(Math.min(CHUNK, to - from));
      for (long at = from; at < to; at += CHUNK) {
        write(at, zeros.asSlice(0, Math.min(CHUNK, to - at)));
      }
    }
  }

  @Override
  public void close() throws MediumException {
    if (closed) {
      return;
    }
    closed = true;
    int errno = callOnce(CLOSE, 0, 0);
    // On Linux the descriptor is gone after EINTR too.
    if (errno != 0 && errno != NativeCalls.EINTR) {
      throw new MediumException("closing " + path, errno);
    }
  }
}
