package io.pmstore.raft;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The note in a heap of the last entry of the Raft log that it has. Each commit writes it together
 * with its changes.
 *
 * <pre>
 *   0        8
 *  +--------+-----------+
 *  | term   | index + 1 |     zeros: no entry yet
 *  +--------+-----------+
 * </pre>
 */
final class Notes {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Notes() {}

  static void put(WriteSet record, long notes, AppliedIndexes.At at) {
    record.putLong(notes, at.term());
    record.putLong(notes + 8, at.index() + 1);
  }

  static AppliedIndexes.At read(HeapMemory memory, long notes) {
    return new AppliedIndexes.At(memory.getLong(notes), memory.getLong(notes + 8) - 1);
  }

  /** Puts an entry into a copy of the heap's first extent. */
  static void put(MemorySegment extent, long notes, AppliedIndexes.At at) {
    extent.set(WORD, notes, at.term());
    extent.set(WORD, notes + 8, at.index() + 1);
  }
}
