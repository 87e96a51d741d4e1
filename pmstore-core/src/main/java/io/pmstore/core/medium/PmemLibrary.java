package io.pmstore.core.medium;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.PmStoreException;
import io.pmstore.core.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/** The two functions of libpmem that make stores durable, in the way that suits the processor. */
final class PmemLibrary {
  private static final String NAME = "libpmem.so.1";
  // A critical call keeps the JVM from reaching a safepoint, so it stays short.
  private static final long FLUSH_MAX = 64 << 10;

  /** Loaded at the first use, after {@link #require}. */
  private static final class Handles {
    private static final SymbolLookup LIBRARY = library(NAME);
    private static final Linker.Option BRIEF = Linker.Option.critical(false);
    static final MethodHandle FLUSH =
        NativeCalls.handle(
            LIBRARY, "pmem_flush", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG), BRIEF);
    static final MethodHandle FLUSH_ADDRESS =
        NativeCalls.handle(
            LIBRARY, "pmem_flush", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG), BRIEF);
    static final MethodHandle DRAIN =
        NativeCalls.handle(LIBRARY, "pmem_drain", FunctionDescriptor.ofVoid(), BRIEF);
  }

  private PmemLibrary() {}

  /**
   * Checks that the library is installed.
   *
   * @throws PmStoreException if it is not
   */
  static void require() {
    require(NAME);
  }

  static void require(String name) {
    try {
      SymbolLookup library = library(name);
      library.findOrThrow("pmem_flush");
      library.findOrThrow("pmem_drain");
    } catch (IllegalArgumentException | NoSuchElementException e) {
      throw new PmStoreException(
          "%s cannot be used: %s; Storage.PERSISTENT_MEMORY needs libpmem 1.x. Install it with"
                  .formatted(name, e.getMessage())
              + " 'apt-get install libpmem1' (Debian, Ubuntu) or 'dnf install libpmem' (Fedora), or"
              + " choose Storage.FILE, which reads and writes the same store",
          e);
    }
  }

  @SuppressWarnings("restricted") // the module requires native access
  private static SymbolLookup library(String name) {
    return SymbolLookup.libraryLookup(name, Arena.global());
  }

  /** Starts writing back the cache lines of mapped bytes. */
  static void flush(MemorySegment bytes) {
    try {
      for (long at = 0; at < bytes.byteSize(); at += FLUSH_MAX) {
        MemorySegment part = bytes.asSlice(at);
        Handles.FLUSH.invokeExact(part, Math.min(part.byteSize(), FLUSH_MAX));
      }
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /**
   * Starts writing back the cache lines of mapped bytes, which stay mapped until this returns.
   *
   * @param address of the first byte in memory
   */
  static void flush(long address, long length) {
    try {
      for (long at = 0; at < length; at += FLUSH_MAX) {
        Handles.FLUSH_ADDRESS.invokeExact(address + at, Math.min(length - at, FLUSH_MAX));
      }
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /** Waits until what the calling thread flushed is durable. */
  static void drain() {
    try {
      Handles.DRAIN.invokeExact();
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }
}
