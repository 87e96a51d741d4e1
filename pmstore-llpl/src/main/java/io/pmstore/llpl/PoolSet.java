package io.pmstore.llpl;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The description of a growing pool for PMDK: a file that names the directory of the parts and the
 * largest number of their bytes. PMDK needs an absolute path without blanks, but a store may have
 * any path, and may be moved. So the file names the directory by an open file descriptor, and is
 * written again each time before PMDK opens the pool. It always has the same size, so that a full
 * disk does not matter.
 */
final class PoolSet implements AutoCloseable {
  private static final int SIZE = 256;

  private final Path file;
  private final OpenDirectory directory;

  private PoolSet(Path file, OpenDirectory directory) {
    this.file = file;
    this.directory = directory;
  }

  /**
   * Writes the description of a pool.
   *
   * @param file to write
   * @param parts the directory of the pool's parts
   * @param most bytes that they can have
   * @param rights of the file if it is made
   */
  static PoolSet write(Path file, Path parts, long most, AccessRights rights) throws IOException {
    PoolSet set = new PoolSet(file, OpenDirectory.open(parts));
    try {
      set.write(most, rights);
      return set;
    } catch (Throwable e) {
      closeAfter(e, set);
      throw e;
    }
  }

  private void write(long most, AccessRights rights) throws IOException {
    String text =
        String.format(
            Locale.ROOT, // PMDK reads no other digits
            "PMEMPOOLSET\nOPTION SINGLEHDR\n%d %s\n# written at each opening ",
            most,
            directory.name());
    String padded = text + ".".repeat(SIZE - 1 - text.length()) + "\n";
    ByteBuffer bytes = ByteBuffer.wrap(padded.getBytes(StandardCharsets.US_ASCII));
    try (FileChannel channel = rights.openToWrite(file)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes, bytes.position());
      }
      channel.truncate(SIZE);
    }
  }

  /** The file, which PMDK reads once. */
  Path file() {
    return file;
  }

  /** Makes the names of the parts durable. */
  void sync() throws IOException {
    directory.sync();
  }

  /** Lets go of the directory, when PMDK has closed the pool. */
  @Override
  public void close() throws IOException {
    directory.close();
  }
}
