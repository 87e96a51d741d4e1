package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.core.memory.NativeCalls;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * A file descriptor and what Linux does with it. No method cares whether its thread is interrupted.
 *
 * <p>Safe for use by any number of threads, but for {@link #close}.
 */
final class PosixFile implements AutoCloseable {
  private static final int O_RDWR = 2;
  private static final int O_CREAT = 0100;
  private static final int O_EXCL = 0200;
  private static final int O_CLOEXEC = 02000000;
  private static final int MODE = 0644;
  private static final int SEEK_END = 2;
  private static final int CHUNK = 1 << 20;

  private static final MethodHandle OPEN =
      NativeCalls.withErrno(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE = intCall("close", JAVA_INT);
  private static final MethodHandle LSEEK =
      NativeCalls.withErrno(
          "lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle PREAD =
      NativeCalls.withErrno(
          "pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle PWRITE =
      NativeCalls.withErrno(
          "pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FDATASYNC = intCall("fdatasync", JAVA_INT);
  private static final MethodHandle FSYNC = intCall("fsync", JAVA_INT);
  private static final MethodHandle FTRUNCATE = intCall("ftruncate", JAVA_INT, JAVA_LONG);
  private static final MethodHandle FALLOCATE =
      intCall("posix_fallocate", JAVA_INT, JAVA_LONG, JAVA_LONG);

  private final Path path;
  private final int descriptor;
  private boolean closed;

  private final CallBuffers buffers = new CallBuffers();

  private PosixFile(Path path, int descriptor) {
    this.path = path;
    this.descriptor = descriptor;
  }

  private static MethodHandle intCall(
      String name, java.lang.foreign.MemoryLayout... argumentLayouts) {
    return NativeCalls.withErrno(name, FunctionDescriptor.of(JAVA_INT, argumentLayouts));
  }

  static PosixFile create(Path path) throws MediumException {
    return open("creating", path, O_RDWR | O_CREAT | O_EXCL);
  }

  static PosixFile open(Path path) throws MediumException {
    return open("opening", path, O_RDWR);
  }

  static PosixFile openOrCreate(Path path) throws MediumException {
    return open("opening", path, O_RDWR | O_CREAT);
  }

  static PosixFile openForReading(Path path) throws MediumException {
    return open("opening", path, 0);
  }

  static PosixFile openDirectory(Path path) throws MediumException {
    return open("opening", path, 0);
  }

  private static PosixFile open(String action, Path path, int flags) throws MediumException {
    int descriptor;
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      MemorySegment name = NativeCalls.path(path.toString(), arena);
      do {
        descriptor = (int) OPEN.invokeExact(state, name, flags | O_CLOEXEC, MODE);
        errno = NativeCalls.errno(state);
      } while (descriptor < 0 && errno == NativeCalls.EINTR);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
    if (descriptor < 0) {
      throw new MediumException(action + " " + path, errno);
    }
    return new PosixFile(path, descriptor);
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
      size = (long) LSEEK.invokeExact(state, descriptor, 0L, SEEK_END);
      errno = NativeCalls.errno(state);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
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

  /** Writes native bytes. */
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
        // Not promised by POSIX for a regular file; refused here so that it cannot become an
        // endless loop.
        throw new MediumException("writing to " + path + " made no progress", NativeCalls.EIO);
      }
      done += n;
    }
  }

  private long transfer(
      MethodHandle call,
      String action,
      MemorySegment callState,
      MemorySegment bytes,
      long length,
      long offset)
      throws MediumException {
    long n;
    int errno;
    try {
      do {
        n = (long) call.invokeExact(callState, descriptor, bytes, length, offset);
        errno = NativeCalls.errno(callState);
      } while (n < 0 && errno == NativeCalls.EINTR);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
    if (n < 0) {
      throw new MediumException(
          "%s %d bytes at %d of %s".formatted(action, length, offset, path), errno);
    }
    return n;
  }

  /** Makes the file's contents durable, and what is needed to read them back. */
  void dataSync() throws MediumException {
    sync(FDATASYNC);
  }

  /** Makes the file durable with all its metadata; for a directory, its entries. */
  void sync() throws MediumException {
    sync(FSYNC);
  }

  private void sync(MethodHandle call) throws MediumException {
    CallBuffers.Buffer buffer = buffers.take();
    MemorySegment state = buffer.state();
    int errno = 0;
    try {
      int result;
      do {
        result = (int) call.invokeExact(state, descriptor);
        errno = result == 0 ? 0 : NativeCalls.errno(state);
      } while (errno == NativeCalls.EINTR);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    } finally {
      buffers.give(buffer);
    }
    if (errno != 0) {
      throw new MediumException("syncing " + path, errno);
    }
  }

  void truncate(long size) throws MediumException {
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      do {
        int result = (int) FTRUNCATE.invokeExact(state, descriptor, size);
        errno = result == 0 ? 0 : NativeCalls.errno(state);
      } while (errno == NativeCalls.EINTR);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
    if (errno != 0) {
      throw new MediumException("truncating %s to %d bytes".formatted(path, size), errno);
    }
  }

  /**
   * Makes the file larger and has the device set room aside, without writing.
   *
   * @return false if the file system cannot do so
   */
  boolean reserve(long from, long to) throws MediumException {
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      do {
        errno = (int) FALLOCATE.invokeExact(state, descriptor, from, to - from);
      } while (errno == NativeCalls.EINTR);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
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

  /** Writes zeros. */
  void zero(long from, long to) throws MediumException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(CHUNK);
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
    int errno;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(NativeCalls.CALL_STATE);
      int result = (int) CLOSE.invokeExact(state, descriptor);
      errno = result == 0 ? 0 : NativeCalls.errno(state);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
    // On Linux the descriptor is gone after EINTR too.
    if (errno != 0 && errno != NativeCalls.EINTR) {
      throw new MediumException("closing " + path, errno);
    }
  }
}
