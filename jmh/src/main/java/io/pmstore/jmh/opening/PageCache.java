package io.pmstore.jmh.opening;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** The kernel's cache of file contents. */
final class PageCache {
  private static final int O_RDONLY = 0;
  private static final int POSIX_FADV_DONTNEED = 4;

  private static final MemorySegment OPEN = NativeCalls.function("open");
  private static final MemorySegment CLOSE = NativeCalls.function("close");
  private static final MemorySegment FADVISE = NativeCalls.function("posix_fadvise");

  private PageCache() {}

  /**
   * Drops the contents of a file from the cache, so that the kernel reads them from the device
   * again.
   *
   * @param file that nobody has mapped and all of which is durable; what is not cannot be forgotten
   */
  static void drop(Path file) throws IOException {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      MemorySegment path = NativeCalls.path(file.toString(), call);
      int descriptor = (int) NativeCalls.call(OPEN, state, path.address(), O_RDONLY, 0, 0);
      if (descriptor < 0) {
        throw failed("opening", file, NativeCalls.errno(state));
      }
      int error = (int) NativeCalls.call(FADVISE, state, descriptor, 0, 0, POSIX_FADV_DONTNEED);
      if ((int) NativeCalls.call(CLOSE, state, descriptor, 0, 0, 0) != 0) {
        throw failed("closing", file, NativeCalls.errno(state));
      }
      if (error != 0) {
        throw failed("posix_fadvise on", file, error);
      }
    }
  }

  private static IOException failed(String what, Path file, int error) {
    return new IOException("%s %s: %s".formatted(what, file, NativeCalls.message(error)));
  }
}
