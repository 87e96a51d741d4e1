package io.pmstore.jmh.nvwal;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.util.Arrays;

/** Reads the records of a file in large pieces. One thread uses it. */
final class RecordReader {
  private static final int PIECE = 4 << 20;

  private final MediumFile file;
  private final long store;
  private final long end;
  private byte[] bytes = new byte[PIECE];
  private long first; // offset in the file of bytes[0]
  private int filled;
  private long next;

  /**
   * Prepares.
   *
   * @param from where the first record begins
   * @param end where the last one ends at most
   */
  RecordReader(MediumFile file, long store, long from, long end) {
    this.file = file;
    this.store = store;
    this.end = end;
    this.first = from;
    this.next = from;
  }

  /** Returns the index in {@link #bytes} of the next record if it is whole, or -1. */
  int peek() throws IOException {
    if (!fill(NvwalRecord.HEADER)) {
      return -1;
    }
    int length = NvwalRecord.length(bytes, at());
    if (length < NvwalRecord.HEADER || length % 8 != 0 || !fill(length)) {
      return -1;
    }
    return NvwalRecord.isWhole(bytes, at(), store) ? at() : -1;
  }

  /** Goes behind the record that {@link #peek} has found. */
  void skip() {
    next += NvwalRecord.length(bytes, at());
  }

  /** Returns the offset of the next record in the file. */
  long offset() {
    return next;
  }

  byte[] bytes() {
    return bytes;
  }

  private int at() {
    return (int) (next - first);
  }

  private boolean fill(int length) throws IOException {
    if (length > end - next) {
      return false;
    }
    if (at() + length > filled) {
      filled = (int) Math.min(Math.max(length, PIECE), end - next);
      first = next;
      if (bytes.length < filled) {
        bytes = Arrays.copyOf(bytes, filled);
      }
      file.read(first, bytes, 0, filled);
    }
    return true;
  }
}
