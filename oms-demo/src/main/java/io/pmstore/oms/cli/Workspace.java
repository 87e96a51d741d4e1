package io.pmstore.oms.cli;

import io.pmstore.oms.run.Directories;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.TargetKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Where a run puts its data, and what of it is removed at the end. */
final class Workspace implements AutoCloseable {
  private static final Path DEFAULT_PARENT = Path.of("oms-data");
  private static final Path PMEM_PARENT = Path.of("/dev/shm");

  /** PostgreSQL may have to run as another user than the demo. */
  private static final FileAttribute<?> ENTERED_BY_ALL =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

  private final Path base;
  private final boolean temporary;
  private boolean keep;

  private Workspace(Path base, boolean temporary, boolean keep) {
    this.base = base;
    this.temporary = temporary;
    this.keep = keep;
  }

  static Workspace create(StoreOptions options) throws IOException {
    Path dir = options.dir();
    if (dir != null) {
      return new Workspace(Files.createDirectories(dir.toAbsolutePath()), false, options.keep());
    }
    if (options.medium() == Medium.PMEM) {
      return new Workspace(
          Files.createTempDirectory(PMEM_PARENT, "pmstore-oms-", ENTERED_BY_ALL),
          true,
          options.keep());
    }
    Path parent = Files.createDirectories(DEFAULT_PARENT.toAbsolutePath());
    return new Workspace(
        Files.createTempDirectory(parent, "run-", ENTERED_BY_ALL), true, options.keep());
  }

  Path base() {
    return base;
  }

  /** The free directory of a target. */
  Path directory(TargetKind kind) throws IOException {
    return directory(kind.label());
  }

  /** A free directory. */
  Path directory(String name) throws IOException {
    Path directory = base.resolve(name);
    if (!Directories.isFree(directory)) {
      throw new IOException(directory + " is not empty; remove it or give another --dir");
    }
    return directory;
  }

  void remove(Path directory) throws IOException {
    if (!keep) {
      Directories.delete(directory);
    }
  }

  /** Leaves everything that is there now, for inspection. */
  void retain() {
    keep = true;
  }

  @Override
  public void close() throws IOException {
    if (temporary && !keep && Files.exists(base)) {
      Directories.delete(base);
      Path parent = base.getParent();
      if (parent != null && parent.endsWith(DEFAULT_PARENT) && Directories.isFree(parent)) {
        Directories.delete(parent);
      }
    }
  }
}
