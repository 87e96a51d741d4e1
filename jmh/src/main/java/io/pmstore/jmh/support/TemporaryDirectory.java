package io.pmstore.jmh.support;

import io.pmstore.Storage;
import io.pmstore.oms.run.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A new directory for the files of one trial, on the medium that is measured; deleted when closed.
 *
 * <p>Two system properties say where: {@value #FILE} (default: the directory for temporary files)
 * for ordinary files, {@value #PMEM} (default: {@code /dev/shm}) for persistent memory. The JVMs
 * that JMH forks inherit them.
 */
public final class TemporaryDirectory implements AutoCloseable {
  /** The system property that names a directory on an ordinary disk. */
  public static final String FILE = "pmstore.jmh.file";

  /** The system property that names a directory on, or to be treated as, persistent memory. */
  public static final String PMEM = "pmstore.jmh.pmem";

  private final Path path;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  /**
   * Makes a directory.
   *
   * @throws IllegalStateException if it is for LLPL, which cannot be used here
   */
  public static TemporaryDirectory create(Storage storage) throws IOException {
    String parent =
        switch (storage) {
          case FILE, TIERED -> System.getProperty(FILE, System.getProperty("java.io.tmpdir"));
          case PERSISTENT_MEMORY, LLPL -> System.getProperty(PMEM, "/dev/shm");
          case AUTO -> throw new IllegalArgumentException("name the storage that is measured");
        };
    if (storage == Storage.LLPL) {
      LlplPools.require(Path.of(parent)); // first, so that nothing is left behind
    }
    return new TemporaryDirectory(Files.createTempDirectory(Path.of(parent), "pmstore-jmh-"));
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
  }

  public static void delete(Path directory) {
    try {
      Directories.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("deleting " + directory, e);
    }
  }
}
