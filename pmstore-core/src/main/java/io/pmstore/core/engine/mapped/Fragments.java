package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.log.LogRecordLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cuts a write set that is too large for one record into the payloads of several. A range that does
 * not fit is cut in two.
 */
final class Fragments {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] source;
  private final int end;
  private final byte[] record;
  private int size;

  // The range that is being cut: where it goes on, and what is left of it.
  private int at = LogRecordLayout.HEADER_SIZE;
  private long address;
  private int left;

  /**
   * Cuts a write set without deltas.
   *
   * @param payloadMax the most bytes of a fragment's payload
   */
  Fragments(WriteSet writes, int payloadMax) {
    this.source = writes.record();
    this.end = LogRecordLayout.HEADER_SIZE + writes.length();
    this.record = new byte[LogRecordLayout.HEADER_SIZE + payloadMax];
  }

  /**
   * Makes the next fragment.
   *
   * @return true if it is the last
   */
  boolean next() {
    size = LogRecordLayout.HEADER_SIZE;
    while (size + WriteSet.RANGE_HEADER + 8 <= record.length) {
      if (left == 0) {
        if (at == end) {
          return true;
        }
        address = (long) LONG.get(source, at);
        left = (int) (long) LONG.get(source, at + 8) << 3;
        at += WriteSet.RANGE_HEADER;
      }
      int n = Math.min(left, record.length - size - WriteSet.RANGE_HEADER);
      LONG.set(record, size, address);
      LONG.set(record, size + 8, (long) n >>> 3);
      System.arraycopy(source, at, record, size + WriteSet.RANGE_HEADER, n);
      size += WriteSet.RANGE_HEADER + n;
      at += n;
      address += n;
      left -= n;
    }
    return left == 0 && at == end;
  }

  /** The record of the fragment, with room for its header. */
  byte[] record() {
    return record;
  }

  /** The bytes of the record, header included. */
  int size() {
    return size;
  }
}
