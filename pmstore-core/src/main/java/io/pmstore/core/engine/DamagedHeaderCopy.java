package io.pmstore.core.engine;

import java.nio.file.Path;

/**
 * One of the two copies of a store's header, which was damaged when the other one was read, in a
 * way that no interrupted write explains. The other copy serves, so nothing is lost.
 *
 * @param file of both
 * @param offset of the damaged copy, in bytes
 * @param found what is wrong with it
 * @param other the offset of the other one
 * @param sequence of the other one
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
