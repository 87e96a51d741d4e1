package io.pmstore.core.space;

import io.pmstore.core.memory.HeapMemory;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The free runs of chunks: first fit by address; adjacent runs of one extent are merged. Not
 * thread-safe.
 */
final class ChunkMap {
  private final TreeMap<Long, Integer> stretches = new TreeMap<>();

  void add(long address, int chunks) {
    long start = address;
    int length = chunks;
    Map.Entry<Long, Integer> before = stretches.lowerEntry(address);
    if (before != null && end(before) == address && sameExtent(before.getKey(), address)) {
      start = before.getKey();
      length += before.getValue();
    }
    long end = address + ((long) chunks << ExtentLayout.CHUNK_SHIFT);
    Integer after = sameExtent(address, end) ? stretches.remove(end) : null;
    if (after != null) {
      length += after;
    }
    stretches.put(start, length);
  }

  /**
   * Takes chunks from the lowest run that is long enough; returns their address, or 0 if there is
   * none.
   */
  long take(int chunks) {
    Iterator<Map.Entry<Long, Integer>> all = stretches.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Long, Integer> stretch = all.next();
      if (stretch.getValue() >= chunks) {
        long address = stretch.getKey();
        int rest = stretch.getValue() - chunks;
        all.remove();
        if (rest > 0) {
          stretches.put(address + ((long) chunks << ExtentLayout.CHUNK_SHIFT), rest);
        }
        return address;
      }
    }
    return 0;
  }

  /** Takes the chunks at an address if all are free. Returns true if they were. */
  boolean takeAt(long address, int chunks) {
    Map.Entry<Long, Integer> stretch = stretches.floorEntry(address);
    long end = address + ((long) chunks << ExtentLayout.CHUNK_SHIFT);
    if (stretch == null || end(stretch) < end) {
      return false;
    }
    long start = stretch.getKey();
    long stretchEnd = end(stretch);
    stretches.remove(start);
    if (start < address) {
      stretches.put(start, (int) ((address - start) >>> ExtentLayout.CHUNK_SHIFT));
    }
    if (stretchEnd > end) {
      stretches.put(end, (int) ((stretchEnd - end) >>> ExtentLayout.CHUNK_SHIFT));
    }
    return true;
  }

  void clear() {
    stretches.clear();
  }

  private static long end(Map.Entry<Long, Integer> stretch) {
    return stretch.getKey() + ((long) stretch.getValue() << ExtentLayout.CHUNK_SHIFT);
  }

  private static boolean sameExtent(long a, long b) {
    return a >>> HeapMemory.EXTENT_SHIFT == b >>> HeapMemory.EXTENT_SHIFT;
  }
}
