package io.pmstore;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of {@link PmStore#repair}: what it found and rebuilt. Immutable.
 *
 * <p>For the pages of {@code checksumsMade}, no later check can detect damage from before the
 * repair. The repair has checked the structure, the objects, the references and the use of space in
 * these pages, and refuses a store in which any of them is unsound. But it cannot tell a number, a
 * text or another plain value that was damaged before from the value that was stored.
 *
 * @param directory the directory of the store
 * @param replaced the files that the repair rebuilt; empty if no file was lost, and then nothing
 *     was changed
 * @param checksumsKept how many checksums of pages the old {@code sums} still had; the repair has
 *     compared each of them with its page and found it right. 0 if the repair did not rebuild
 *     {@code sums}
 * @param checksumsMade how many checksums the repair computed from the present contents of the
 *     pages. 0 if the repair did not rebuild {@code sums}
 */
public record RepairReport(
    Path directory, List<Replaced> replaced, long checksumsKept, long checksumsMade) {

  /** Copies the list. */
  public RepairReport {
    replaced = List.copyOf(replaced);
  }

  /**
   * A file that the repair rebuilt.
   *
   * @param file the path of the file
   * @param found what was wrong with the old file
   * @param copy the path under which the repair keeps the old file; empty if the file was missing
   */
  public record Replaced(Path file, String found, Optional<Path> copy) {
    @Override
    public String toString() {
      return file
          + " "
          + found
          + "; the repair rebuilt it"
          + copy.map(path -> ", and kept the old file as " + path).orElse("");
    }
  }

  /**
   * Returns a summary: each rebuilt file, and which damage can no longer be detected.
   *
   * @return several lines, the last one without a line feed
   */
  @Override
  public String toString() {
    if (replaced.isEmpty()) {
      return directory
          + ": no file is lost, and nothing was changed. PmStore.verify looks inside the files";
    }
    StringBuilder text = new StringBuilder(directory + ": repaired");
    for (Replaced file : replaced) {
      text.append("\n  ").append(file);
    }
    if (checksumsKept + checksumsMade > 0) {
      text.append(
          String.format(
              Locale.ROOT,
              "\n"
                  + "  checksums of pages: %,d kept and compared, %,d computed from what the pages"
                  + " hold now",
              checksumsKept,
              checksumsMade));
    }
    if (checksumsMade > 0) {
      text.append(
          "\n  The store is sound in structure, objects, references and use of space. Damage done"
              + "\n  before the repair to plain values, such as numbers and texts, can no longer be"
              + "\n  detected: compare them with a backup if you have a reason to doubt the disk.");
    }
    return text.toString();
  }
}
