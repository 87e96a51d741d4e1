package io.pmstore.core.crash;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.crash.SparseBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The expected contents of a heap. Not thread-safe. */
final class HeapModel {
  private static final int PAGE = SparseBytes.PAGE;

  private final SparseBytes bytes;

  HeapModel() {
    this(new SparseBytes());
  }

  private HeapModel(SparseBytes bytes) {
    this.bytes = bytes;
  }

  HeapModel copy() {
    return new HeapModel(bytes.copy());
  }

  void put(long address, byte[] contents) {
    bytes.write(address, contents, 0, contents.length);
  }

  /** The end is given back: should it come again, it is zero. */
  HeapModel cut(long size) {
    bytes.truncate(size);
    return this;
  }

  long get(long address) {
    byte[] word = new byte[8];
    bytes.read(address, word, 0, 8);
    return ByteBuffer.wrap(word).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  void set(long address, long value) {
    put(address, ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
  }

  /**
   * Compares a heap with this.
   *
   * @param usedPages those of its pages that may hold something else than zeros
   * @throws AssertionError if a byte differs
   */
  void check(HeapMemory memory, Set<Long> usedPages) {
    Set<Long> pages = new TreeSet<>(usedPages);
    bytes.forEachPage(
        (offset, page) -> {
          if (offset < memory.size()) { // the end may have been given back
            pages.add(offset);
          }
        });
    byte[] expected = new byte[PAGE];
    byte[] found = new byte[PAGE];
    for (long page : pages) {
      if (page < Engine.RESERVED) {
        continue;
      }
      bytes.read(page, expected, 0, PAGE);
      memory.read(page, found, 0, PAGE);
      int at = Arrays.mismatch(expected, found);
      if (at >= 0) {
        int word = at & -8;
        throw new AssertionError(
            "the heap has %016x at %d, not %016x"
                .formatted(memory.getLong(page + word), page + word, get(page + word)));
      }
    }
  }
}
