package io.pmstore.core.engine.mapped.commit;

import static java.util.Objects.requireNonNull;

import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.log.LogRecordLayout;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Cuts a write set that is too large for one record into the payloads of several. A range that does
 * not fit is cut in two.
 */
public final class Fragments {
  /** Receives each fragment but the last. */
  @FunctionalInterface
  interface Sink {
    void write(Fragments fragment) throws IOException;
  }

  private final byte[] record;
  private int size = LogRecordLayout.HEADER_SIZE;
  private int part;

  /**
   * Allocates memory for one fragment at a time.
   *
   * @param payloadMax the most bytes of a fragment's payload
   */
  Fragments(int payloadMax) {
    this.record = new byte[LogRecordLayout.HEADER_SIZE + payloadMax];
  }

  /**
   * Cuts a write set without deltas. When the method returns, this object holds the last fragment.
   *
   * @param sink receives the fragments before it
   */
  void cut(WriteSet writes, Sink sink) throws IOException {
    try {
      writes.forEachFreed(object -> add(object, object, record, 0, 0, sink));
      WriteSet.ObjectVisitor add =
          (object, address, source, offset, length) ->
              add(object, address, source, offset, length, sink);
      writes.forEachRange(add);
    } catch (UncheckedIOException e) {
      throw requireNonNull(e.getCause());
    }
  }

  private void add(long object, long address, byte[] source, int offset, int length, Sink sink) {
    int done = 0;
    do {
      if (size + RangeLayout.HEADER_SIZE + 8 > record.length) {
        try {
          sink.write(this);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        part++;
        size = LogRecordLayout.HEADER_SIZE;
      }
      int n = Math.min(length - done, record.length - size - RangeLayout.HEADER_SIZE);
      RangeLayout.writeHeader(record, size, object, address + done, n);
      System.arraycopy(source, offset + done, record, size + RangeLayout.HEADER_SIZE, n);
      size += RangeLayout.HEADER_SIZE + n;
      done += n;
    } while (done < length);
  }

  /** Returns the fragment's number in its commit. */
  int part() {
    return part;
  }

  /** Returns the record of the fragment, with room for its header. */
  byte[] record() {
    return record;
  }

  /** Returns the size of the record in bytes, header included. */
  int size() {
    return size;
  }
}
