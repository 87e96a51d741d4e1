package io.pmstore.raft;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.UUID;

/**
 * The notes in a heap: the last entry of the Raft log that it has, which each commit writes
 * together with its changes, and the cluster, which the first one writes.
 *
 * <pre>
 *   0        8           16           32
 *  +--------+-----------+------------+
 *  | term   | index + 1 | cluster id |     zeros: no entry yet
 *  +--------+-----------+------------+
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

  static void putCluster(WriteSet record, long notes, UUID cluster) {
    record.putLong(notes + 16, cluster.getMostSignificantBits());
    record.putLong(notes + 24, cluster.getLeastSignificantBits());
  }

  /** Returns the cluster of a heap that has an entry. */
  static UUID cluster(HeapMemory memory, long notes) {
    return new UUID(memory.getLong(notes + 16), memory.getLong(notes + 24));
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
