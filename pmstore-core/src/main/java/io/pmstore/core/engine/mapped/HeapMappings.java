package io.pmstore.core.engine.mapped;

import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The mapped bytes of the heap file, and the memory that shows them. What is mapped may be larger
 * than the memory. Calls must not overlap.
 */
final class HeapMappings implements AutoCloseable {
  // Few mappings make opening a large heap cheap; a bounded size finds room in any address space.
  private static final long MAPPING_MAX = 1L << 30;

  private final HeapMemory memory = new HeapMemory();
  private final Deque<Mapping> mappings = new ArrayDeque<>(); // without gaps; the first one first

  private record Mapping(long from, MemorySegment bytes, Arena arena) {
    long end() {
      return from + bytes.byteSize();
    }
  }

  HeapMemory memory() {
    return memory;
  }

  /**
   * Maps the heap file up to a size; the memory stays as it is. What was mapped when this throws is
   * there for the next attempt.
   */
  void map(MediumFile heap, long size) throws IOException {
    long from = mappings.isEmpty() ? 0 : mappings.getLast().end();
    for (long at = from; at < size; at += MAPPING_MAX) {
      Arena arena = Arena.ofShared();
      try {
        MemorySegment bytes = heap.map(at, Math.min(MAPPING_MAX, size - at), arena);
        mappings.addLast(new Mapping(at, bytes, arena));
      } catch (Throwable e) {
        arena.close();
        throw e;
      }
    }
  }

  /** Has the memory show mapped bytes, up to a size. */
  void show(long size) {
    for (Mapping mapping : mappings) {
      for (long at = Math.max(memory.size(), mapping.from);
          at < Math.min(mapping.end(), size);
          at += HeapMemory.EXTENT_SIZE) {
        memory.addExtent(mapping.bytes.asSlice(at - mapping.from, HeapMemory.EXTENT_SIZE));
      }
    }
  }

  /**
   * Takes the end of the memory away, and unmaps it. A mapping that is still needed in part stays
   * as it is: should the heap grow again, its rest shows the new bytes.
   */
  void cut(long size) {
    memory.cut(size);
    while (mappings.getLast().from >= size) {
      mappings.removeLast().arena.close();
    }
  }

  /** Takes the memory away and unmaps all. */
  @Override
  public void close() {
    memory.clear();
    while (!mappings.isEmpty()) {
      mappings.removeLast().arena.close();
    }
  }
}
