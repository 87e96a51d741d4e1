package io.pmstore.gc.verify;

import io.pmstore.VerificationProgress;

/** Counts what a verification has gone through, and tells it now and then. */
final class WalkProgress {
  private static final int STEP = 1 << 12; // objects

  private final VerificationProgress told;
  private final long usedBytes;
  private final long totalBytes;
  private long objects;
  private long bytes;

  /**
   * Begins.
   *
   * @param usedBytes of the chunks that are not free
   * @param heapBytes that are compared with checksums after the walk
   */
  WalkProgress(VerificationProgress told, long usedBytes, long heapBytes) {
    this.told = told;
    this.usedBytes = usedBytes;
    this.totalBytes = usedBytes + heapBytes;
  }

  /** Counts an object. */
  void reached(int room) {
    bytes += room;
    if (++objects % STEP == 0) {
      told.at(objects, bytes, totalBytes);
    }
  }

  /** The walk has ended, and the bytes of the heap up to an address have been compared. */
  void compared(long end) {
    told.at(objects, usedBytes + end, totalBytes);
  }
}
