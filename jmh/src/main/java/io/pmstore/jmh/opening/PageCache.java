package io.pmstore.jmh.opening;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** What the kernel keeps of files in memory. */
final class PageCache {
  private static final int O_RDONLY = 0;
  private static final int POSIX_FADV_DONTNEED = 4;

  private static final MethodHandle OPEN =
      NativeCalls.withErrno(
          "open",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      NativeCalls.withErrno("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle FADVISE =
      NativeCalls.withErrno(
          "posix_fadvise",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

  private PageCache() {}

  /**
   * Has the kernel forget the contents of a file, so that they are read from its device again.
   *
   * @param file that nobody has mapped and all of which is durable; what is not cannot be forgotten
   */
  static void drop(Path file) throws IOException {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      MemorySegment path = NativeCalls.path(file.toString(), call);
      int descriptor = (int) OPEN.invokeExact(state, path, O_RDONLY);
      if (descriptor < 0) {
        throw failed("opening", file, NativeCalls.errno(state));
      }
      int error = (int) FADVISE.invokeExact(state, descriptor, 0L, 0L, POSIX_FADV_DONTNEED);
      if ((int) CLOSE.invokeExact(state, descriptor) != 0) {
        throw failed("closing", file, NativeCalls.errno(state));
      }
      if (error != 0) {
        throw failed("posix_fadvise on", file, error);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  private static IOException failed(String what, Path file, int error) {
    return new IOException("%s %s: %s".formatted(what, file, NativeCalls.message(error)));
  }
}
