package io.pmstore.core.engine;

import java.nio.file.Path;

/**
 * A damaged copy of a store's header, whose damage no interrupted write explains. The store uses
 * the other copy, so nothing is lost. Immutable.
 *
 * @param file the file of both copies
 * @param offset the offset of the damaged copy, in bytes
 * @param found what is wrong with the damaged copy
 * @param other the offset of the other copy, in bytes
 * @param sequence the sequence of the other copy
 */
public record DamagedHeaderCopy(Path file, long offset, String found, long other, long sequence) {
  /** Returns what verification found. */
  public String fault() {
    return "a damaged copy of the store's header: " + found;
  }

  /**
   * Returns what it expected.
   *
   * @param inForce the sequence of the header in force
   */
  public String expected(long inForce) {
    return "the header as at %d, where it is whole, so nothing is lost; %s"
        .formatted(
            other,
            inForce == sequence
                ? "the next opening for writing writes both copies anew"
                : "this opening has written both copies anew");
  }

  /**
   * Logs a warning after both copies were written, if that has mended this one.
   *
   * @param before the sequence of the header that was in force before
   */
  public void written(long before, System.Logger log) {
    if (before == sequence) {
      log.log(
          System.Logger.Level.WARNING,
          "%s: the copy of the store's header at %d was damaged: %s. The copy at %d was whole, so nothing is lost, and the store has written both anew. Look for what else writes to this file, and whether the disk reports errors"
              .formatted(file, offset, found, other));
    }
  }
}
