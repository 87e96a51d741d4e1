package io.pmstore.core.engine.llpl;

import io.pmstore.PmStoreException;
import org.jspecify.annotations.Nullable;

/** Whether LLPL and the native libraries under it can be used here, and if not, what to do. */
final class NativeLibraries {
  private static final String ALTERNATIVE = "; or use Storage.FILE, which needs none";

  // A class that failed to initialize says why only once.
  private static @Nullable String failure;

  private NativeLibraries() {}

  /**
   * Loads the libraries, once.
   *
   * @throws PmStoreException if they cannot be loaded; the message has the command that mends it
   */
  static synchronized void load() {
    if (failure != null) {
      throw new PmStoreException(failure);
    }
    try {
      Class.forName("com.intel.pmem.llpl.AnyHeap", true, NativeLibraries.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      failure =
          "LLPL is not there; add com.intel.pmem:llpl:1.2.0-release to the class path"
              + ALTERNATIVE;
      throw new PmStoreException(failure, e);
    } catch (LinkageError e) {
      failure = explain(e);
      throw new PmStoreException(failure, e);
    }
  }

  /**
   * Makes of what LLPL threw a message that says what to do.
   *
   * @param thrown by LLPL or the JVM while something native was loaded or first used
   * @return the message
   */
  static String explain(Throwable thrown) {
    Throwable cause = thrown instanceof ExceptionInInitializerError e ? e.getCause() : thrown;
    cause = cause == null ? thrown : cause;
    String os = System.getProperty("os.name");
    String arch = System.getProperty("os.arch");
    if (!os.contains("Linux") || !arch.equals("amd64")) {
      return "LLPL runs on Linux on x86-64 only; this is %s on %s%s"
          .formatted(os, arch, ALTERNATIVE);
    }
    if (cause instanceof IllegalCallerException || cause instanceof UnsupportedOperationException) {
      boolean named = NativeLibraries.class.getModule().isNamed();
      return "this JVM does not let LLPL use native memory (%s); start it with java --enable-native-access=%s --sun-misc-unsafe-memory-access=allow"
          .formatted(cause.getMessage(), named ? "io.pmstore.core,llpl" : "ALL-UNNAMED");
    }
    return "the native libraries of LLPL cannot be loaded (%s); run: sudo apt-get install libpmem1 libpmemobj1 libpmempool1 (on Fedora: sudo dnf install libpmem libpmemobj libpmempool)%s"
        .formatted(cause.getMessage(), ALTERNATIVE);
  }
}
