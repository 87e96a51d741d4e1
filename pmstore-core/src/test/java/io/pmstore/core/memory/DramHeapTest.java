package io.pmstore.core.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A heap in DRAM whose engine fails while it grows. */
class DramHeapTest {
  /** Zeros in the place of objects would be read as null and 0, and even be copied to a file. */
  @Test
  void noExtentIsReadAfterTheHeapWasTakenAway() {
    DramHeap heap = new DramHeap(Path.of("store"), 8);
    try {
      heap.grow(2);
      heap.memory().putLong(64, 7);
      heap.clear();
      assertThrows(IllegalStateException.class, () -> heap.grow(3));
      assertEquals(0, heap.memory().size());
      assertThrows(NullPointerException.class, () -> heap.memory().getLong(64));
    } finally {
      heap.close();
    }
  }
}
