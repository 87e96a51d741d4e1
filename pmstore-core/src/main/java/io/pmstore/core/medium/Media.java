package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Facts about the file systems below media. */
public final class Media {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private Media() {}

  /**
   * Returns true if an existing directory is on persistent memory: its file system is mounted with
   * DAX.
   *
   * @throws IOException if the table of mounts cannot be read
   */
  public static boolean isDax(Path directory) throws IOException {
    return Files.exists(MOUNTS)
        && isDax(Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1), directory.toRealPath());
  }

  /**
   * Evaluates the table of mounts. A line is, for instance, {@code 36 35 98:0 / /mnt/pmem0
   * rw,noatime shared:1 - ext4 /dev/pmem0 rw,dax=always}.
   */
  static boolean isDax(List<String> mounts, Path directory) {
    boolean dax = false;
    int longest = -1;
    for (String line : mounts) {
      String[] halves = line.split(" - ", 2);
      String[] fields = halves[0].split(" ", -1);
      if (halves.length < 2 || fields.length < 6) {
        continue;
      }
      Path mountPoint = Path.of(unescape(fields[4]));
      // A later line with the same mount point covers the earlier one.
      if (directory.startsWith(mountPoint) && mountPoint.getNameCount() >= longest) {
        longest = mountPoint.getNameCount();
        String options = halves[1].substring(halves[1].lastIndexOf(' ') + 1) + "," + fields[5];
        dax =
            List.of(options.split(",")).stream()
                .anyMatch(o -> o.equals("dax") || o.equals("dax=always"));
      }
    }
    return dax;
  }

  private static String unescape(String field) {
    return field
        .replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }
}
