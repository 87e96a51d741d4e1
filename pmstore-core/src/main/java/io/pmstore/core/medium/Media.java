package io.pmstore.core.medium;

import io.pmstore.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Facts about the file systems below media. */
public final class Media {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  private static final Set<String> DAX_OPTIONS = Set.of("dax", "dax=always");
  private static final Set<String> MEMORY_TYPES = Set.of("tmpfs", "ramfs");

  private Media() {}

  /**
   * Returns true if files in a directory are to be treated as persistent memory: if the program
   * says so, or if they were made on it and are on it still. A file that was copied from there to
   * an ordinary disk needs syncs of the operating system.
   *
   * @param named the storage that the program names, or {@link Storage#AUTO}
   * @param made the storage with which the files were made
   * @param directory where they are
   * @throws IOException if the table of mounts cannot be read
   */
  public static boolean usePmem(Storage named, Storage made, Path directory) throws IOException {
    boolean pmem = (named == Storage.AUTO ? made : named) == Storage.PERSISTENT_MEMORY;
    if (!pmem || isMemory(directory)) {
      return pmem && (named != Storage.AUTO || PmemMedium.hasLibrary());
    }
    if (named == Storage.AUTO) {
      return false;
    }
    System.getLogger(Media.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "{0} is treated as persistent memory, as the program says, but its file system is not"
                + " mounted with DAX: a power cut can take acknowledged transactions; choose"
                + " Storage.FILE or Storage.AUTO on a disk",
            directory);
    return true;
  }

  /** Returns true if a directory is on persistent memory, or on main memory, which emulates it. */
  private static boolean isMemory(Path directory) throws IOException {
    if (isDax(directory)) {
      return true;
    }
    try {
      return MEMORY_TYPES.contains(Files.getFileStore(directory).type());
    } catch (IOException e) {
      return false; // its mount point cannot be seen, as in a chroot: a sync is safe everywhere
    }
  }

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
        dax = Stream.of(options.split(",")).anyMatch(DAX_OPTIONS::contains);
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
