package io.pmstore.core.engine.mapped.recovery;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import org.jspecify.annotations.Nullable;

/** Finds faults in ranges that come from a log or from the layer above. */
public final class Ranges {
  private Ranges() {}

  /**
   * Checks that every range is whole, aligned and inside a heap of a size. Returns the fault, or
   * null.
   */
  public static @Nullable String findFault(byte[] bytes, int from, int to, long heapSize) {
    int at = from;
    while (at < to) {
      if (to - at < RangeLayout.HEADER_SIZE) {
        return "a range is cut off";
      }
      long address = RangeLayout.address(bytes, at);
      long words = RangeLayout.words(bytes, at);
      long object = RangeLayout.object(bytes, at);
      at += RangeLayout.HEADER_SIZE;
      if (words > (to - at) >>> 3) {
        return "a range of %d words has %d bytes".formatted(words, to - at);
      }
      String fault = findFault(address, words << 3, heapSize);
      if (fault != null) {
        return fault;
      }
      if (object < Engine.RESERVED) {
        return "a range at %d is said to be of an object at %d".formatted(address, object);
      }
      at += (int) words << 3;
    }
    return null;
  }

  /**
   * Checks that every range of a write set is aligned and inside a heap of a size. Returns the
   * fault, or null.
   */
  public static @Nullable String findFault(WriteSet writes, long heapSize) {
    if (!writes.hasLent()) {
      return findFault(writes.record(), WriteSet.HEADROOM, writes.recordSize(), heapSize);
    }
    @Nullable String[] found = {null};
    writes.forEachRange(
        (address, source, offset, length) -> {
          if (found[0] == null) {
            found[0] = findFault(address, length, heapSize);
          }
        });
    return found[0];
  }

  private static @Nullable String findFault(long address, long length, long heapSize) {
    return (address & 7) != 0 || address < Engine.RESERVED || address > heapSize - length
        ? "a range of %d bytes at %d is not aligned or outside of %d to %d"
            .formatted(length, address, Engine.RESERVED, heapSize)
        : null;
  }
}
