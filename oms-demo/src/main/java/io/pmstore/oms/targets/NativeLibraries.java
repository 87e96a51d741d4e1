package io.pmstore.oms.targets;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out which libraries of PMDK are installed. */
@SuppressWarnings("restricted") // to load a library is the question here
public final class NativeLibraries {
  private static final List<String> PMDK =
      List.of("libpmem.so.1", "libpmemobj.so.1", "libpmempool.so.1");

  private NativeLibraries() {}

  /**
   * Returns which libraries that LLPL needs cannot be loaded, and how to install them; null if none
   * is missing.
   */
  public static @Nullable String missingForLlpl() {
    return missing(PMDK);
  }

  /**
   * Returns which libraries that pmstore needs for persistent memory cannot be loaded, and how to
   * install them; null if none is missing.
   */
  public static @Nullable String missingForPersistentMemory() {
    return missing(PMDK.subList(0, 1));
  }

  private static @Nullable String missing(List<String> libraries) {
    List<String> missing = new ArrayList<>();
    for (String library : libraries) {
      try (Arena arena = Arena.ofConfined()) {
        SymbolLookup.libraryLookup(library, arena);
      } catch (IllegalArgumentException e) {
        missing.add(library);
      }
    }
    return missing.isEmpty()
        ? null
        : String.join(", ", missing)
            + " cannot be loaded; install them, for instance: apt install libpmem1 libpmemobj1"
            + " libpmempool1";
  }
}
