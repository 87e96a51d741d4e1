package io.pmstore.llpl;

import io.pmstore.PmStoreException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * Loads LLPL and the native libraries that it needs. If that fails, the exception says what to do.
 */
final class NativeLibraries {
  private static final String ALTERNATIVE = "; or use Storage.FILE, which needs none";
  private static final String UNSAFES_MODULE = "jdk.unsupported";
  // What LLPL says, and the dynamic linker where a file system is mounted with noexec.
  private static final String NOT_EXTRACTED = "Failed to native load llpl library";
  private static final String NOT_EXECUTABLE = "failed to map segment from shared object";

  // A class that failed to initialize says why only once.
  private static @Nullable String failure;
  private static boolean loaded;

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
    if (loaded) {
      return;
    }
    if (ModuleLayer.boot().findModule(UNSAFES_MODULE).isEmpty()) {
      failure =
          "LLPL needs the module %s, which this JVM does not have resolved; start it with java --add-modules %s%s"
              .formatted(UNSAFES_MODULE, UNSAFES_MODULE, ALTERNATIVE);
      throw new PmStoreException(failure);
    }
    try {
      Class.forName("com.intel.pmem.llpl.AnyHeap", true, NativeLibraries.class.getClassLoader());
      useUnsafe();
      loaded = true;
    } catch (ClassNotFoundException e) {
      failure =
          "LLPL is not there; add com.intel.pmem:llpl:1.2.0-release to the class path"
              + ALTERNATIVE;
      throw new PmStoreException(failure, e);
    } catch (LinkageError | UnsupportedOperationException e) {
      failure = explain(e);
      throw new PmStoreException(failure, e);
    }
  }

  /** What LLPL does in an open pool, when it is too late for a JVM to deny it. */
  private static void useUnsafe() throws ClassNotFoundException {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object unsafe = field.get(null);
      Object address = type.getMethod("allocateMemory", long.class).invoke(unsafe, 8L);
      type.getMethod("freeMemory", long.class).invoke(unsafe, address);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof UnsupportedOperationException denied) {
        throw denied;
      }
      throw new LinkageError("sun.misc.Unsafe", e);
    } catch (NoSuchFieldException | NoSuchMethodException | IllegalAccessException e) {
      throw new LinkageError("sun.misc.Unsafe", e);
    }
  }

  /**
   * Makes of what LLPL threw a message that says what to do.
   *
   * @param thrown by LLPL or the JVM while something native was loaded or first used
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
          .formatted(
              cause.getMessage(), named ? "io.pmstore.core,io.pmstore.llpl,llpl" : "ALL-UNNAMED");
    }
    String message = String.valueOf(cause.getMessage());
    if (message.startsWith(NOT_EXTRACTED) || message.contains(NOT_EXECUTABLE)) {
      return "LLPL cannot write its library to %s and load it from there (%s); start it with java -Djava.io.tmpdir=<a directory where programs may be run>%s"
          .formatted(System.getProperty("java.io.tmpdir"), message, ALTERNATIVE);
    }
    return "the native libraries of LLPL cannot be loaded (%s); run: sudo apt-get install libpmem1 libpmemobj1 libpmempool1 (on Fedora: sudo dnf install libpmem libpmemobj libpmempool)%s"
        .formatted(message, ALTERNATIVE);
  }
}
