package io.pmstore.core.log;

/**
 * A place in the log where a record can start.
 *
 * @param segment the number of the segment
 * @param offset the byte in the segment, a multiple of 8
 * @param sequence of the record
 */
public record LogPosition(int segment, long offset, long sequence) {
  /**
   * Returns true if another position is the same. {@code equals} does too, but linking a record's
   * {@code equals} takes ten milliseconds when the first store is opened.
   */
  public boolean isAt(LogPosition other) {
    return segment == other.segment && offset == other.offset && sequence == other.sequence;
  }
}
