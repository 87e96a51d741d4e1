package io.pmstore.core.engine.mapped.recovery;

import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.log.LogRecord;
import io.pmstore.core.log.LogRecordLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Applies the ranges of records sorted by page, batch by batch, so that a batch reads each page
 * once and adjacent pages one after the other. Ranges in the same page keep their order.
 */
final class Replay {
  // Sort key: the page in the high bits, the range's number in the batch in the low bits.
  private static final int NUMBER_BITS = 20;
  private static final int PAGE_SHIFT = 12;
  private static final long BATCH_BYTES = 32 << 20;

  private final WriteSet.RangeVisitor heap;
  private final List<byte[]> records = new ArrayList<>();
  private long[] keys = new long[1024];
  private int[] recordOf = new int[1024];
  private int[] offsetOf = new int[1024];
  private long[] addressOf = new long[1024];
  private int[] lengthOf = new int[1024];
  private int count;
  private long bytes;

  /**
   * Creates a replay.
   *
   * @param heap receives the ranges
   */
  Replay(WriteSet.RangeVisitor heap) {
    this.heap = heap;
  }

  /** Adds a record whose ranges have no fault. */
  void add(LogRecord record) {
    records.add(record.bytes());
    RangeLayout.forEach(
        record.bytes(), LogRecordLayout.HEADER_SIZE, record.length(), this::addPageWise);
    bytes += record.length();
    if (bytes >= BATCH_BYTES) {
      apply();
    }
  }

  /** Cuts a range where a page ends, so that sorting by page is enough. */
  private void addPageWise(long address, byte[] source, int offset, int length) {
    for (int done = 0; done < length; ) {
      long at = address + done;
      int n = (int) Math.min(length - done, (1L << PAGE_SHIFT) - (at & ((1L << PAGE_SHIFT) - 1)));
      add(at, offset + done, n);
      done += n;
    }
  }

  private void add(long address, int offset, int length) {
    if (count == 1 << NUMBER_BITS) {
      byte[] current = records.getLast();
      apply();
      records.add(current);
    }
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, count * 2);
      recordOf = Arrays.copyOf(recordOf, count * 2);
      offsetOf = Arrays.copyOf(offsetOf, count * 2);
      addressOf = Arrays.copyOf(addressOf, count * 2);
      lengthOf = Arrays.copyOf(lengthOf, count * 2);
    }
    keys[count] = address >>> PAGE_SHIFT << NUMBER_BITS | count;
    recordOf[count] = records.size() - 1;
    offsetOf[count] = offset;
    addressOf[count] = address;
    lengthOf[count++] = length;
  }

  /** Applies what was added so far. */
  void apply() {
    Arrays.sort(keys, 0, count);
    for (int i = 0; i < count; i++) {
      int number = (int) keys[i] & ((1 << NUMBER_BITS) - 1);
      heap.range(
          addressOf[number], records.get(recordOf[number]), offsetOf[number], lengthOf[number]);
    }
    records.clear();
    count = 0;
    bytes = 0;
  }
}
