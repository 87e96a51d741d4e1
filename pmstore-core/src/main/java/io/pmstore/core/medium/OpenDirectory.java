package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;

/** A directory that stays open, which gives it a name that is independent of its path. */
public final class OpenDirectory implements AutoCloseable {
  private final PosixFile file;

  private OpenDirectory(PosixFile file) {
    this.file = file;
  }

  public static OpenDirectory open(Path path) throws IOException {
    return new OpenDirectory(PosixFile.openForReading(path));
  }

  /**
   * Returns an absolute path that leads to the directory in this process while it is open, even if
   * it is renamed or moved. The path has only ordinary characters.
   */
  public String name() {
    return "/proc/self/fd/" + file.descriptor();
  }

  /** Makes the directory's entries durable. */
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
