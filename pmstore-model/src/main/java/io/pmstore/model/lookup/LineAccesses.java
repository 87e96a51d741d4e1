package io.pmstore.model.lookup;

import io.pmstore.model.shared.AccessLog;

/**
 * Turns accesses into accesses of cache lines, of one look-up at a time.
 *
 * <p>A line that a look-up touches twice is one access. A line is <em>waited for</em>, unless it
 * follows the line before it in memory: then it is the rest of the same object, whose address was
 * known when the object's first line was asked for, so both come together. Versions are not waited
 * for either: their place follows from the address of the object, which is read at the same time.
 */
abstract class LineAccesses implements AccessLog.Listener {
  private static final int LINE_SHIFT = 6;
  private static final int VERSION_SHIFT = 3;
  private static final int LINES_MAX = 256;

  /** Where versions are: behind all heaps, which have 2^40 bytes at most. */
  static final long VERSIONS = 1L << (41 - LINE_SHIFT);

  private final long[] touched = new long[LINES_MAX];
  private int count;

  /** Begins a look-up. */
  final void begin() {
    count = 0;
  }

  /**
   * A line is touched for the first time in a look-up.
   *
   * @param line the number of the line
   * @param waits whether the look-up waits for it
   */
  abstract void touch(long line, boolean waits);

  private void line(long line, boolean waits) {
    for (int i = 0; i < count; i++) {
      if (touched[i] == line) {
        return;
      }
    }
    if (count == LINES_MAX) {
      throw new IllegalStateException(
          "a look-up touches more than %d lines: begin() was not called".formatted(LINES_MAX));
    }
    boolean follows = count > 0 && line == touched[count - 1] + 1;
    touched[count++] = line;
    touch(line, waits && !follows);
  }

  @Override
  public final void read(long address, int length) {
    for (long line = address >>> LINE_SHIFT;
        line <= (address + length - 1) >>> LINE_SHIFT;
        line++) {
      line(line, true);
    }
  }

  @Override
  public final void write(long address, int length) {
    throw new IllegalStateException("a look-up writes to the heap at " + address);
  }

  @Override
  public final void version(int index) {
    line(VERSIONS + (((long) index << VERSION_SHIFT) >>> LINE_SHIFT), false);
  }

  @Override
  public final void fileWrite(String file, long length) {
    throw new IllegalStateException("a look-up writes to the file " + file);
  }

  @Override
  public final void sync(String file) {
    throw new IllegalStateException("a look-up syncs the file " + file);
  }
}
