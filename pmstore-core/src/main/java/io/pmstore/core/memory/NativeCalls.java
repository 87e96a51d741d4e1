package io.pmstore.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;

/**
 * Calls into the C library of Linux, with their {@code errno}.
 *
 * <p>Files are written through these calls, not through {@code FileChannel}, because a channel is
 * closed when the thread that uses it is interrupted, and user threads write the log.
 */
@SuppressWarnings("restricted") // the module is meant to be run with native access enabled
public final class NativeCalls {
  /** {@code errno}: the call was interrupted by a signal before it did anything. */
  public static final int EINTR = 4;

  /** {@code errno}: an input or output error. */
  public static final int EIO = 5;

  /** {@code errno}: what was wanted is not to be had now, or somebody else has it. */
  public static final int EAGAIN = 11;

  /** {@code errno}: permission is denied. */
  public static final int EACCES = 13;

  /** {@code errno}: an argument that the file system does not support. */
  public static final int EINVAL = 22;

  /** {@code errno}: the file system cannot be written. */
  public static final int EROFS = 30;

  /** {@code errno}: the file would be larger than the process or the file system allows. */
  public static final int EFBIG = 27;

  /** {@code errno}: no space is left on the device. */
  public static final int ENOSPC = 28;

  /** {@code errno}: the operation is not supported by the file system. */
  public static final int EOPNOTSUPP = 95;

  /** {@code errno}: the user's quota is used up. */
  public static final int EDQUOT = 122;

  /**
   * The layout of the segment that every call made by {@link #withErrno} takes as its first
   * argument.
   */
  public static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();

  private static final Linker LINKER = Linker.nativeLinker();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final long MESSAGE_LENGTH_MAX = 256;
  private static final MethodHandle STRERROR =
      handle(LINKER.defaultLookup(), "strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private NativeCalls() {}

  /**
   * A function of the C library that reports errors in {@code errno}.
   *
   * @param name of the function
   * @param descriptor its result and arguments
   * @param options of the linker, beside the capture of {@code errno}
   * @return a handle whose first argument is a segment of layout {@link #CALL_STATE}
   */
  public static MethodHandle withErrno(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    System.arraycopy(options, 0, all, 0, options.length);
    all[options.length] = Linker.Option.captureCallState("errno");
    return handle(LINKER.defaultLookup(), name, descriptor, all);
  }

  /**
   * A function of a library.
   *
   * @param library where it is
   * @param name of the function
   * @param descriptor its result and arguments
   * @param options of the linker
   * @return a handle that calls it
   * @throws NoSuchElementException if the library has no such function
   */
  public static MethodHandle handle(
      SymbolLookup library, String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(library.findOrThrow(name), descriptor, options);
  }

  /**
   * The error number that a call left.
   *
   * @param state what was passed to the call as its first argument
   * @return the value of {@code errno}
   */
  public static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  /**
   * The meaning of an error number.
   *
   * @param errno the number
   * @return the C library's words for it, and the number
   */
  public static String message(int errno) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(MESSAGE_LENGTH_MAX).getString(0, StandardCharsets.UTF_8)
          + " (errno "
          + errno
          + ")";
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * A path as the C library wants it.
   *
   * @param path the path
   * @param arena owns the result
   * @return its bytes in the encoding of file names, and a zero byte
   */
  public static MemorySegment path(String path, Arena arena) {
    String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
    byte[] bytes = path.getBytes(Charset.forName(encoding));
    MemorySegment result = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, result, JAVA_BYTE, 0, bytes.length);
    return result;
  }

  /**
   * What to throw when the invocation of a handle itself threw, which only an error of the virtual
   * machine or a closed arena makes it do.
   *
   * @param thrown what it threw
   * @return the exception to throw
   */
  public static RuntimeException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException("a native call threw a checked exception", thrown);
    };
  }
}
