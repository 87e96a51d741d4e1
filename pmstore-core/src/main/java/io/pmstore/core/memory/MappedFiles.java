package io.pmstore.core.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Maps files into memory. No other class does.
 *
 * <p>Callers first check that the file is as long as the range that they map. An access to mapped
 * bytes behind the end of a file throws an {@link InternalError} in Java code, and crashes the
 * process in a native function.
 */
@SuppressWarnings("restricted") // the module requires native access
public final class MappedFiles {
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_ANONYMOUS = 0x20;
  // Without it a private mapping counts against the commit limit as if every page were going to
  // be changed.
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MADV_DONTNEED = 4;
  private static final int MADV_POPULATE_WRITE = 23;
  private static final long MAP_FAILED = -1;

  private static final MemorySegment MMAP = NativeCalls.function("mmap");
  private static final MemorySegment MUNMAP = NativeCalls.function("munmap");
  private static final MemorySegment MADVISE = NativeCalls.function("madvise");

  /** How changes made in memory reach the file. */
  public enum Mode {
    /** Changes are the file's contents at once, and may reach the device at any time. */
    SHARED,
    /** A changed page becomes a copy that the file never sees; unchanged pages show the file. */
    PRIVATE
  }

  /**
   * Returns true if an error came from an access to mapped bytes that cannot be read, because the
   * file was truncated or its device failed. The JVM may throw it some instructions after the
   * access.
   */
  public static boolean isFault(Throwable thrown) {
    String message = thrown.getMessage();
    return thrown instanceof InternalError
        && message != null
        && message.contains("unsafe memory access");
  }

  /** The kernel refused a mapping. */
  public static final class MapException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The error number. */
    private final int errno;

    MapException(String message, int errno) {
      super(message);
      this.errno = errno;
    }

    /** Returns the error number. */
    public int errno() {
      return errno;
    }
  }

  private MappedFiles() {}

  /**
   * Maps a part of a file for reading and writing. The mapping outlives the file descriptor.
   *
   * @param descriptor of the file, open for reading, and for writing if shared
   * @param offset of the first byte in the file, a multiple of the page size
   * @param size in bytes, more than 0
   * @param arena unmaps the bytes when it is closed; its scope is that of the result
   * @throws MapException if the kernel refuses
   */
  public static MemorySegment map(int descriptor, long offset, long size, Mode mode, Arena arena)
      throws MapException {
    return map(MemorySegment.NULL, size, PROT_READ_WRITE, flags(mode), descriptor, offset)
        .reinterpret(size, arena, MappedFiles::unmap);
  }

  /**
   * Reserves address space that reads as zeros and cannot be written.
   *
   * @param size in bytes, more than 0
   * @param arena frees it, with everything mapped over it, when it is closed
   * @throws MapException if the kernel refuses
   */
  public static MemorySegment reserve(long size, Arena arena) throws MapException {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    return map(MemorySegment.NULL, size, PROT_READ, flags, -1, 0)
        .reinterpret(size, arena, MappedFiles::unmap);
  }

  /**
   * Maps memory that belongs to no file: zeros that can be written. A page takes memory when it is
   * first written.
   *
   * @param size in bytes, more than 0
   * @param arena frees it when it is closed
   * @throws MapException if the kernel refuses
   */
  public static MemorySegment anonymous(long size, Arena arena) throws MapException {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    return map(MemorySegment.NULL, size, PROT_READ_WRITE, flags, -1, 0)
        .reinterpret(size, arena, MappedFiles::unmap);
  }

  /**
   * Maps a part of a file for reading and writing over reserved address space.
   *
   * @param descriptor as for {@link #map}
   * @param offset as for {@link #map}
   * @param target whole pages of what {@link #reserve} returned
   * @throws MapException if the kernel refuses
   */
  public static void mapOver(int descriptor, long offset, MemorySegment target, Mode mode)
      throws MapException {
    map(target, target.byteSize(), PROT_READ_WRITE, flags(mode) | MAP_FIXED, descriptor, offset);
  }

  private static int flags(Mode mode) {
    return mode == Mode.SHARED ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE;
  }

  private static MemorySegment map(
      MemorySegment address, long size, int protection, int flags, int descriptor, long offset)
      throws MapException {
    long mapped;
    int errno;
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      mapped =
          NativeCalls.callOnMemory(
              MMAP, state, address, size, protection, flags, descriptor, offset);
      errno = NativeCalls.errno(state);
    }
    if (mapped == MAP_FAILED) {
      throw new MapException(
          "mapping %d bytes at %d failed: %s".formatted(size, offset, NativeCalls.message(errno)),
          errno);
    }
    return MemorySegment.ofAddress(mapped);
  }

  private static void unmap(MemorySegment mapped) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      int result =
          (int) NativeCalls.callOnMemory(MUNMAP, state, mapped, mapped.byteSize(), 0, 0, 0, 0);
      if (result != 0) {
        System.getLogger(MappedFiles.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "unmapping %s failed: %s"
                    .formatted(mapped, NativeCalls.message(NativeCalls.errno(state))));
      }
    }
  }

  /**
   * Drops the changed copies of pages of a private mapping, so that the bytes show the file again.
   *
   * @param mapped whole pages of a private mapping; the file has their contents
   * @throws MapException if the kernel refuses
   */
  public static void dropCopies(MemorySegment mapped) throws MapException {
    int errno = advise(mapped, MADV_DONTNEED);
    if (errno != 0) {
      throw new MapException(
          "madvise on %d mapped bytes failed: %s"
              .formatted(mapped.byteSize(), NativeCalls.message(errno)),
          errno);
    }
  }

  /**
   * Has the kernel map pages for writing now, so that the first store to each need not wait for a
   * page fault. In a private mapping it copies them. A kernel before 5.14 does nothing, and one
   * that cannot map a page leaves it out: then the first store causes a fault, as without this
   * call.
   *
   * @param mapped whole pages
   */
  public static void populate(MemorySegment mapped) {
    advise(mapped, MADV_POPULATE_WRITE);
  }

  /** Returns the error number of the call, or 0. */
  private static int advise(MemorySegment mapped, int advice) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      int result =
          (int)
              NativeCalls.callOnMemory(MADVISE, state, mapped, mapped.byteSize(), advice, 0, 0, 0);
      return result == 0 ? 0 : NativeCalls.errno(state);
    }
  }
}
