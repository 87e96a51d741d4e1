package io.pmstore.core.engine.llpl;

import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import java.nio.file.Path;

/** The way to LLPL stores, which loads no class of LLPL before there is one to open. */
public final class LlplStores {
  private LlplStores() {}

  /**
   * Says whether a directory has an LLPL store, whole or damaged. Needs neither LLPL nor the native
   * libraries.
   *
   * @param directory the directory; need not exist
   * @return true if there is one
   */
  public static boolean isStore(Path directory) {
    return new PoolFiles(directory).exist();
  }

  /**
   * Opens the store in a directory, or makes one there.
   *
   * @param directory of the store; made if there is none
   * @param options of which the pool's size matters, for a new store
   * @return the engine; exceptions are those of {@link LlplEngine#open}
   */
  public static Engine open(Path directory, PmStoreOptions options) {
    NativeLibraries.load();
    return LlplEngine.open(directory, options);
  }

  /**
   * Opens the store in a directory after a trial of its pool in a process apart, which {@link
   * #open} makes only if the pool was not closed.
   *
   * @param directory of the store, which exists
   * @param options as for {@link #open}
   * @return the engine; exceptions are those of {@link LlplEngine#open}
   */
  public static Engine openTried(Path directory, PmStoreOptions options) {
    NativeLibraries.load();
    return LlplEngine.openTried(directory, options);
  }
}
