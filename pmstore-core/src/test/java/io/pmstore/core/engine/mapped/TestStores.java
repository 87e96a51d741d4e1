package io.pmstore.core.engine.mapped;

import io.pmstore.Storage;
import io.pmstore.core.crash.EngineOpener;
import java.nio.file.Files;
import java.nio.file.Path;

/** The places where tests put stores. */
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
    return opener(1 << 20);
  }

  /**
   * Opens mapped engines on media that the test makes.
   *
   * @param logSegmentSize in bytes; the log starts small and grows if that is more than 1 MiB
   * @return an opener
   */
  public static EngineOpener opener(long logSegmentSize) {
    return (medium, directory, threads) ->
        StoreOpener.open(
            directory,
            StoreTest.small(Storage.FILE).logSegmentSize(logSegmentSize),
            real -> medium,
            threads);
  }
}
