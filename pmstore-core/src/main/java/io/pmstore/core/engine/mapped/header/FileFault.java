package io.pmstore.core.engine.mapped.header;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.log.LogSegmentHeader;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fault of a file that a closed store can do without: page checksums or a log segment.
 *
 * @param found the fault, as text that follows the file's name
 * @param misplaced true if the file is whole, but of another place, store or format
 */
public record FileFault(String found, boolean misplaced) {
  /** The file does not exist. */
  public static final FileFault MISSING = new FileFault("is missing", false);

  /** Returns the fault in a log segment's size or header, or null. */
  public static @Nullable FileFault ofSegment(MediumFile log, UUID store, int number)
      throws IOException {
    long size = log.size();
    if (size < LogSegmentHeader.SIZE) {
      return new FileFault(
          "has %d bytes; a log segment's header alone has %d"
              .formatted(size, LogSegmentHeader.SIZE),
          false);
    }
    byte[] found = new byte[LogSegmentHeader.SIZE];
    log.read(0, found, 0, found.length);
    long recorded = LogSegmentHeader.size(found);
    String fault = new LogSegmentHeader(store, number, recorded).findFault(found);
    if (fault != null) {
      return new FileFault("is not the store's log: " + fault, LogSegmentHeader.isWhole(found));
    }
    return size != recorded || size % LogSegmentHeader.SIZE != 0
        ? new FileFault("has %d bytes; its header says %d".formatted(size, recorded), false)
        : null;
  }

  /**
   * Returns the exception that refuses to open the store.
   *
   * @param closed whether the store was closed
   */
  public StoreDamagedException refusal(Path file, boolean closed) {
    String advice =
        misplaced
            ? "It belongs to another place or another store; put the store's own file back"
            : "It was truncated, replaced or overwritten";
    return new StoreDamagedException(
        "%s %s. %s; %s"
            .formatted(
                file,
                found,
                advice,
                closed ? repairable(file, misplaced) : "restore the directory from a backup"));
  }

  private static String repairable(Path file, boolean misplaced) {
    return misplaced
        ? "if there is none, move this one away, and PmStore.repair(\"%s\"), or the command pm repair, makes it anew, since the store was closed"
            .formatted(file.getParent())
        : advice(file.getParent());
  }

  /** Returns the advice for a closed store that lacks a file that repair can recreate. */
  public static String advice(@Nullable Path directory) {
    return "the store was closed, so the file can be made anew from the others: PmStore.repair(\"%s\"), or the command pm repair, does so, or says why not"
        .formatted(directory);
  }
}
