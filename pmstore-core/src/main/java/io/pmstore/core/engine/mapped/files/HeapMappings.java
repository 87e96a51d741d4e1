package io.pmstore.core.engine.mapped.files;

import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The mapped bytes of the heap file, and the {@link HeapMemory} that shows them. More may be mapped
 * than is shown. Calls must not overlap.
 */
public final class HeapMappings implements AutoCloseable {
  // Few mappings make opening a large heap cheap; a bounded size fits into any address space.
  private static final long MAPPING_MAX = 1L << 30;

  private final HeapMemory memory = new HeapMemory();
  private final Deque<Mapping> mappings = new ArrayDeque<>(); // contiguous, in ascending order

  private long mapped; // the file is mapped up to here

  private record Mapping(long from, MemorySegment bytes, Arena arena) {
    long end() {
      return from + bytes.byteSize();
    }
  }

  HeapMemory memory() {
    return memory;
  }

  /**
   * Maps the heap file up to a size; the memory does not change. What was mapped before an
   * exception is kept for the next attempt.
   */
  public void map(MediumFile heap, long size) throws IOException {
    long from = mappings.isEmpty() ? 0 : mappings.getLast().end();
    if (!mappings.isEmpty() && mapped < from && mapped < size) {
      Mapping last = mappings.getLast();
      long end = Math.min(size, from);
      heap.mapMore(last.bytes, last.from, mapped - last.from, end - last.from);
      mapped = end;
    }
    for (long at = from; at < size; at += MAPPING_MAX) {
      Arena arena = Arena.ofShared();
      try {
        long length = Math.min(MAPPING_MAX, size - at);
        long space = (length + HeapMemory.EXTENT_SIZE - 1) & -HeapMemory.EXTENT_SIZE;
        MemorySegment bytes = heap.map(at, length, space, arena);
        mappings.addLast(new Mapping(at, bytes, arena));
        mapped = at + length;
      } catch (Throwable e) {
        arena.close();
        throw e;
      }
    }
  }

  /**
   * {@linkplain MediumFile#populate Prepares} the bytes that are shown next for their first writes:
   * up to an extent, if that is mapped.
   */
  public void populateNext(MediumFile heap) {
    long from = memory.writableBytes();
    long to = Math.min(mapped, from + HeapMemory.EXTENT_SIZE);
    for (Mapping mapping : mappings) {
      long start = Math.max(from, mapping.from);
      long end = Math.min(to, mapping.end());
      if (start < end) {
        heap.populate(mapping.bytes.asSlice(start - mapping.from, end - start));
      }
    }
  }

  /** Shows mapped bytes in the memory, up to a size. */
  public void show(long size) {
    for (Mapping mapping : mappings) {
      for (long at = Math.max(memory.size(), mapping.from);
          at < Math.min(mapping.end(), size);
          at += HeapMemory.EXTENT_SIZE) {
        memory.addExtent(mapping.bytes.asSlice(at - mapping.from, HeapMemory.EXTENT_SIZE));
      }
    }
    assert size <= mapped && mapped <= mappings.getLast().end() : size + " of " + mapped;
    memory.setWritableBytes(size);
  }

  /**
   * Removes the end of the memory, and unmaps it. A mapping that is needed in part is kept: if the
   * heap grows again, its rest shows the new bytes.
   */
  public void cut(long size) {
    memory.cut(size);
    while (mappings.getLast().from >= size) {
      mappings.removeLast().arena.close();
    }
    mapped = Math.min(mapped, mappings.getLast().end());
  }

  /** Clears the memory and unmaps everything. */
  @Override
  public void close() {
    memory.clear();
    while (!mappings.isEmpty()) {
      mappings.removeLast().arena.close();
    }
  }
}
