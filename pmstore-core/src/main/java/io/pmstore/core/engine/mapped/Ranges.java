package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The ranges of a write set in the form in which a log record holds them; see {@link WriteSet}. */
final class Ranges {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Ranges() {}

  /**
   * Looks for what must not be in a heap of a size.
   *
   * @return what is wrong, or null if every range is whole, aligned and inside the heap
   */
  static @Nullable String findFault(byte[] bytes, int from, int to, long heapSize) {
    int at = from;
    while (at < to) {
      if (to - at < WriteSet.RANGE_HEADER) {
        return "a range is cut off";
      }
      long address = (long) LONG.get(bytes, at);
      long words = (long) LONG.get(bytes, at + 8);
      at += WriteSet.RANGE_HEADER;
      if (words < 0 || words > (to - at) >>> 3) {
        return "a range of %d words has %d bytes".formatted(words, to - at);
      }
      if ((address & 7) != 0 || address < Engine.RESERVED || address > heapSize - (words << 3)) {
        return "a range of %d bytes at %d is not aligned or outside of %d to %d"
            .formatted(words << 3, address, Engine.RESERVED, heapSize);
      }
      at += (int) words << 3;
    }
    return null;
  }

  /** Shows each range of bytes without fault. */
  static void forEach(byte[] bytes, int from, int to, WriteSet.RangeVisitor visitor) {
    int at = from;
    while (at < to) {
      int size = (int) (long) LONG.get(bytes, at + 8) << 3;
      visitor.range((long) LONG.get(bytes, at), bytes, at + WriteSet.RANGE_HEADER, size);
      at += WriteSet.RANGE_HEADER + size;
    }
  }
}
