package io.pmstore.llpl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.pmstore.core.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Knows to which size an open pool can grow. PMDK 1.12 has an array with four bytes for each zone
 * of the heap. It allocates the array for the zones that exist when it opens the pool, and writes
 * beyond its end if the pool grows by more zones than fit. The C library rounds allocations up,
 * which leaves room for some zones.
 */
@SuppressWarnings("restricted") // the module is meant to be run with native access enabled
final class ZoneMap {
  private static final long ENTRY = 4;

  private ZoneMap() {}

  /**
   * How many zones a pool can have before it has to be opened again.
   *
   * @param zones how many it had when it was opened
   */
  static int zonesMax(int zones) {
    try {
      MethodHandle calloc =
          function("calloc", FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_LONG));
      MethodHandle usable =
          function("malloc_usable_size", FunctionDescriptor.of(JAVA_LONG, ADDRESS));
      MethodHandle free = function("free", FunctionDescriptor.ofVoid(ADDRESS));
      MemorySegment map = (MemorySegment) calloc.invokeExact(1L, zones * ENTRY);
      long size = map.address() == 0 ? 0 : (long) usable.invokeExact(map);
      free.invokeExact(map);
      return (int) Math.max(zones, size / ENTRY);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /** A function as the process at large sees it: another allocator may have been preloaded. */
  private static MethodHandle function(String name, FunctionDescriptor descriptor)
      throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle dlsym =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("dlsym"),
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address =
          (MemorySegment)
              dlsym.invokeExact(
                  MemorySegment.NULL, arena.allocateFrom(name, StandardCharsets.US_ASCII));
      SymbolLookup found = ignored -> Optional.of(address);
      return NativeCalls.handle(found, name, descriptor);
    }
  }
}
