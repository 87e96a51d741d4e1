package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;

/** A directory that is held open, so that it has a name that nothing depends on. */
public final class OpenDirectory implements AutoCloseable {
  private final PosixFile file;

  private OpenDirectory(PosixFile file) {
    this.file = file;
  }

  /**
   * Opens a directory.
   *
   * @param path of the directory
   * @return the open directory
   * @throws IOException if it cannot be opened
   */
  public static OpenDirectory open(Path path) throws IOException {
    return new OpenDirectory(PosixFile.openDirectory(path));
  }

  /**
   * A name of the directory that is valid in this process while it is held open, whatever it is
   * called and wherever it is moved.
   *
   * @return an absolute path of ordinary characters
   */
  public String name() {
    return "/proc/self/fd/" + file.descriptor();
  }

  /**
   * Makes the directory's entries durable.
   *
   * @throws IOException if that fails
   */
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
