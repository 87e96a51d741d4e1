package io.pmstore.jmh.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has written to disks, as the kernel counts it. */
public final class ProcessWrites {
  private static final Path COUNTERS = Path.of("/proc/self/io");

  private ProcessWrites() {}

  /**
   * Reads the counter. The kernel counts a page when it becomes dirty, and one of a file that is
   * deleted before it was written not at all; files in memory do not count.
   *
   * @return bytes since the start of the process
   * @throws IOException if the kernel does not say
   */
  public static long bytes() throws IOException {
    long bytes = 0;
    for (String line : Files.readAllLines(COUNTERS)) {
      if (line.startsWith("write_bytes: ")) {
        bytes += number(line);
      } else if (line.startsWith("cancelled_write_bytes: ")) {
        bytes -= number(line);
      }
    }
    return bytes;
  }

  private static long number(String line) {
    return Long.parseLong(line.substring(line.indexOf(' ') + 1));
  }
}
