package io.pmstore.jmh.oms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The device that a file system is on, and how much was written to it. The kernel counts for the
 * device: what other programs write meanwhile is counted too.
 */
final class BlockDevice {
  private static final Path DEVICES = Path.of("/sys/dev/block");
  private static final int SECTORS_WRITTEN = 6;
  private static final int SECTOR = 512; // whatever the device's own sectors are

  private final Path statistics;
  private final Path directory;

  private BlockDevice(Path statistics, Path directory) {
    this.statistics = statistics;
    this.directory = directory;
  }

  /**
   * Finds the device.
   *
   * @param directory on the file system
   * @return the device; empty if there is none, as for tmpfs, or it cannot be found
   * @throws IOException if the directory cannot be asked
   */
  static Optional<BlockDevice> of(Path directory) throws IOException {
    long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
    Path statistics = DEVICES.resolve(name(device)).resolve("stat");
    return Files.isReadable(statistics)
        ? Optional.of(new BlockDevice(statistics, directory))
        : Optional.empty();
  }

  /** How the kernel names a device number: {@code major:minor}. */
  static String name(long device) {
    long major = (device >>> 8 & 0xfff) | (device >>> 32 & 0xfffff000L);
    long minor = (device & 0xff) | (device >>> 12 & 0xffffff00L);
    return major + ":" + minor;
  }

  /**
   * Syncs the file system and asks the device.
   *
   * @return how many bytes have been written to the device since the machine was started
   * @throws IOException if the file system cannot be synced, or the device does not answer
   */
  long bytesWritten() throws IOException {
    Process sync = new ProcessBuilder("sync", "-f", directory.toString()).inheritIO().start();
    try {
      if (sync.waitFor() != 0) {
        throw new IOException("sync -f " + directory + " failed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while syncing " + directory, e);
    }
    List<String> fields = List.of(Files.readString(statistics).strip().split("\\s+"));
    return Long.parseLong(fields.get(SECTORS_WRITTEN)) * SECTOR;
  }
}
