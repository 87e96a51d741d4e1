package io.pmstore.jmh.workload;

import io.pmstore.jmh.results.Subject;
import io.pmstore.oms.run.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** New directories on each medium, deleted when closed. */
public final class TestDirectories implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final List<Path> made = new ArrayList<>();

  /** A new directory, which PostgreSQL's user can enter too. */
  public Path directory(String medium) throws IOException {
    boolean memory = medium.equals(Subject.PMEM) && Files.isWritable(MEMORY);
    Path parent = memory ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    Path directory =
        Files.createTempDirectory(
            parent,
            "workload-test-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    made.add(directory);
    return directory;
  }

  @Override
  public void close() throws IOException {
    for (Path directory : made) {
      Directories.delete(directory);
    }
  }
}
