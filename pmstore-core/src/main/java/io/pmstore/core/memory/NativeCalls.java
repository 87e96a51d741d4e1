package io.pmstore.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;

/**
 * Calls into the C library of Linux, with their {@code errno}.
 *
 * <p>Files are written through these calls and not through {@code FileChannel}: user threads write
 * the log, and a channel is closed when the thread that uses it is interrupted.
 */
@SuppressWarnings("restricted") // the module requires native access
public final class NativeCalls {
  /** The operation is not permitted. */
  public static final int EPERM = 1;

  /** No such file. */
  public static final int ENOENT = 2;

  /** A signal interrupted the call before it did anything. */
  public static final int EINTR = 4;

  /** Input or output error. */
  public static final int EIO = 5;

  /** The resource is not available now, or another process has locked it. */
  public static final int EAGAIN = 11;

  /** Permission denied. */
  public static final int EACCES = 13;

  /** The file exists. */
  public static final int EEXIST = 17;

  /** An argument is invalid, or the file system does not support it. */
  public static final int EINVAL = 22;

  /** The file system is read-only. */
  public static final int EROFS = 30;

  /** The process may open no more files. */
  public static final int EMFILE = 24;

  /** The file would be larger than the process or the file system allows. */
  public static final int EFBIG = 27;

  /** No space is left on the device. */
  public static final int ENOSPC = 28;

  /** The file system does not support the operation. */
  public static final int EOPNOTSUPP = 95;

  /** The user's quota is used up. */
  public static final int EDQUOT = 122;

  /** The layout of the segment in which a call stores {@code errno}. */
  public static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();

  private static final Linker LINKER = Linker.nativeLinker();
  private static final long ERRNO = 0; // on Linux there is nothing else in the layout
  private static final long MESSAGE_LENGTH_MAX = 256;

  // All functions share one signature, because the first use of each costs a process some
  // milliseconds. An int is passed as a long, of which the callee reads the lower half; a number is
  // passed as an address where that is the type; missing arguments are zeros in registers that the
  // callee does not read.
  private static final MethodHandle CALL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(
              JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.captureCallState("errno"));
  private static final MemorySegment STRERROR = function("strerror");

  private NativeCalls() {}

  /** Returns the address of a function of the C library, for {@link #call} and its variants. */
  public static MemorySegment function(String name) {
    return LINKER.defaultLookup().findOrThrow(name);
  }

  /**
   * Calls a function whose arguments are integers, or addresses of memory that the caller keeps
   * alive. An argument that the function does not have is 0.
   *
   * @param function from {@link #function}
   * @param state of layout {@link #CALL_STATE}; receives the error number
   * @return the result; the caller casts it if it is an int
   */
  public static long call(
      MemorySegment function, MemorySegment state, long a, long b, long c, long d) {
    return callWithBytes(function, state, a, MemorySegment.ofAddress(b), c, d);
  }

  /**
   * Calls a function whose second argument is an address. That memory stays alive during the call;
   * otherwise like {@link #call}.
   */
  public static long callWithBytes(
      MemorySegment function, MemorySegment state, long a, MemorySegment bytes, long c, long d) {
    return call(function, state, MemorySegment.ofAddress(a), bytes, c, d, 0, 0);
  }

  /**
   * Calls a function whose first argument is an address. That memory stays alive during the call;
   * otherwise like {@link #call}.
   */
  static long callOnMemory(
      MemorySegment function,
      MemorySegment state,
      MemorySegment memory,
      long b,
      long c,
      long d,
      long e,
      long f) {
    return call(function, state, memory, MemorySegment.ofAddress(b), c, d, e, f);
  }

  private static long call(
      MemorySegment function,
      MemorySegment state,
      MemorySegment a,
      MemorySegment b,
      long c,
      long d,
      long e,
      long f) {
    try {
      return (long) CALL.invokeExact(function, state, a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  /**
   * Returns a handle that calls a function of a library.
   *
   * @throws NoSuchElementException if the library has no such function
   */
  public static MethodHandle handle(
      SymbolLookup library, String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(library.findOrThrow(name), descriptor, options);
  }

  /** Returns the error number that a call stored in {@code state}. */
  public static int errno(MemorySegment state) {
    return state.get(JAVA_INT, ERRNO);
  }

  /** Returns the C library's message for an error number, and the number. */
  public static String message(int errno) {
    try (Arena arena = Arena.ofConfined()) {
      long text = call(STRERROR, arena.allocate(CALL_STATE), errno, 0, 0, 0);
      return MemorySegment.ofAddress(text)
              .reinterpret(MESSAGE_LENGTH_MAX)
              .getString(0, StandardCharsets.UTF_8)
          + " (errno "
          + errno
          + ")";
    }
  }

  /** Returns the id of this process. {@code ProcessHandle} would start a pool of threads for it. */
  public static int processId() {
    try (Arena arena = Arena.ofConfined()) {
      return (int) call(function("getpid"), arena.allocate(CALL_STATE), 0, 0, 0, 0);
    }
  }

  /** Returns a path as a zero-terminated string in the encoding of file names. */
  public static MemorySegment path(String path, Arena arena) {
    String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
    byte[] bytes = path.getBytes(Charset.forName(encoding));
    MemorySegment result = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, result, JAVA_BYTE, 0, bytes.length);
    return result;
  }

  /**
   * Returns the exception that a caller throws after a method handle has thrown one. Throws an
   * error itself. A caller has to catch every {@code Throwable}, and no handle of pmstore's throws
   * a checked exception.
   */
  public static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default ->
          new IllegalStateException(
              "a method handle threw %s, expected no checked exception; report this with its stack trace"
                  .formatted(thrown),
              thrown);
    };
  }
}
