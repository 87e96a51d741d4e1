package io.pmstore.core.engine;

import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;

/** One state of a heap, which can be copied while the heap changes. Safe for use by any thread. */
public interface HeapCopy extends AutoCloseable {
  /** Returns the position of the last commit in it. */
  long position();

  /** Returns how many bytes hold the whole state. */
  long size();

  /**
   * Copies an extent as it was.
   *
   * @param extent its number
   * @param copy gets its {@link HeapMemory#EXTENT_SIZE} bytes
   */
  void copyExtent(int extent, MemorySegment copy);

  /** Gives the state up. Closing twice is harmless. */
  @Override
  void close();
}
