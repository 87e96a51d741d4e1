package io.pmstore.core.engine.mapped;

import io.pmstore.Storage;
import io.pmstore.core.crash.EngineOpener;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where tests put stores. */
public final class TestStores {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private TestStores() {}

  /**
   * A directory on tmpfs, where there is one: for tests that open many stores, and to emulate
   * persistent memory.
   *
   * @return an existing directory
   */
  public static Path fastParent() {
    return Files.isWritable(SHARED_MEMORY)
        ? SHARED_MEMORY
        : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Opens mapped engines on media that the test makes.
   *
   * @return an opener, of small stores
   */
  public static EngineOpener opener() {
    return (medium, directory, threads) ->
        StoreOpener.open(directory, StoreTest.small(Storage.FILE), real -> medium, threads);
  }
}
