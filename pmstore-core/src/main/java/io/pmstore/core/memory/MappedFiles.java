package io.pmstore.core.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place that maps files into memory.
 *
 * <p>Callers compare the size of a file with what they want to map first: an access to mapped bytes
 * behind the end of a file is an {@link InternalError} from Java code, and the end of the process
 * inside a native function.
 */
@SuppressWarnings("restricted") // the module is meant to be run with native access enabled
public final class MappedFiles {
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE = 2;
  // Without it a private mapping counts against the commit limit as if every page would be changed.
  private static final int MAP_NORESERVE = 0x4000;
  private static final int MADV_DONTNEED = 4;
  private static final long MAP_FAILED = -1;

  private static final Logger LOG = LoggerFactory.getLogger(MappedFiles.class);
  private static final MethodHandle MMAP =
      NativeCalls.withErrno(
          "mmap",
          FunctionDescriptor.of(
              ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      NativeCalls.withErrno("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle MADVISE =
      NativeCalls.withErrno(
          "madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

  /** How the changes made in memory relate to the file. */
  public enum Mode {
    /** Changes are the file's own contents at once, and reach its device at any time. */
    SHARED,
    /** Changed pages are copies that the file never sees; unchanged ones show the file. */
    PRIVATE
  }

  /**
   * Says whether an error is what an access to mapped bytes gives that are not there, because the
   * file was cut short or its device fails. It may come some instructions after the access.
   *
   * @param thrown what was thrown
   * @return true if so
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

    /** Why, as a number. */
    private final int errno;

    MapException(String message, int errno) {
      super(message);
      this.errno = errno;
    }

    /**
     * Why.
     *
     * @return the error number
     */
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
   * @param mode how changes relate to the file
   * @param arena unmaps the bytes when it is closed; its scope is that of the result
   * @return the bytes
   * @throws MapException if the kernel refuses
   */
  public static MemorySegment map(int descriptor, long offset, long size, Mode mode, Arena arena)
      throws MapException {
    int flags = mode == Mode.SHARED ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE;
    MemorySegment mapped;
    int errno;
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      mapped =
          (MemorySegment)
              MMAP.invokeExact(
                  state, MemorySegment.NULL, size, PROT_READ_WRITE, flags, descriptor, offset);
      errno = NativeCalls.errno(state);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
    if (mapped.address() == MAP_FAILED) {
      throw new MapException(
          "mapping %d bytes at %d failed: %s".formatted(size, offset, NativeCalls.message(errno)),
          errno);
    }
    return mapped.reinterpret(size, arena, MappedFiles::unmap);
  }

  private static void unmap(MemorySegment mapped) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      int result = (int) MUNMAP.invokeExact(state, mapped, mapped.byteSize());
      if (result != 0) {
        LOG.warn("unmapping {}: {}", mapped, NativeCalls.message(NativeCalls.errno(state)));
      }
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /**
   * Drops the changed copies of pages of a private mapping, so that the bytes show the file again.
   *
   * @param mapped whole pages of a private mapping whose contents the file has
   * @throws MapException if the kernel refuses
   */
  public static void dropCopies(MemorySegment mapped) throws MapException {
    int errno = 0;
    try (Arena call = Arena.ofConfined()) {
      MemorySegment state = call.allocate(NativeCalls.CALL_STATE);
      int result = (int) MADVISE.invokeExact(state, mapped, mapped.byteSize(), MADV_DONTNEED);
      if (result != 0) {
        errno = NativeCalls.errno(state);
      }
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
    if (errno != 0) {
      throw new MapException(
          "madvise on %d mapped bytes failed: %s"
              .formatted(mapped.byteSize(), NativeCalls.message(errno)),
          errno);
    }
  }
}
