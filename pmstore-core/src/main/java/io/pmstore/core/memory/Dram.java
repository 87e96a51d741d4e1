package io.pmstore.core.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out how much memory the system can give a process. */
final class Dram {
  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final Path GROUP_MAX = Path.of("/sys/fs/cgroup/memory.max");
  private static final Path GROUP_CURRENT = Path.of("/sys/fs/cgroup/memory.current");

  private Dram() {}

  /** Returns the bytes that are available without swapping, in this container if it has a limit. */
  static long availableBytes() throws IOException {
    long available = Long.MAX_VALUE;
    for (String line : Files.readAllLines(MEMINFO)) {
      if (line.startsWith("MemAvailable:")) {
        available = Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    if (Files.isReadable(GROUP_MAX) && Files.isReadable(GROUP_CURRENT)) {
      String max = Files.readString(GROUP_MAX).strip();
      if (!max.equals("max")) {
        long left = Long.parseLong(max) - Long.parseLong(Files.readString(GROUP_CURRENT).strip());
        available = Math.min(available, Math.max(0, left));
      }
    }
    return available;
  }
}
