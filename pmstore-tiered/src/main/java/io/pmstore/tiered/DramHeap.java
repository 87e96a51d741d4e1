package io.pmstore.tiered;

import io.pmstore.StoreFullException;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.memory.MappedFiles.MapException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The heap's extents in DRAM. Pages that were never written take none. Calls must not overlap,
 * except {@link #memory}.
 */
final class DramHeap {
  private final Path directory;
  private final HeapMemory memory = new HeapMemory();
  private final List<Arena> arenas = new ArrayList<>();

  /** Creates a heap without extents. */
  DramHeap(Path directory) {
    this.directory = directory;
  }

  HeapMemory memory() {
    return memory;
  }

  int extents() {
    return (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
  }

  /**
   * Checks that there is memory for a heap of so many extents.
   *
   * @throws StoreFullException if there is not
   */
  void checkRoom(int extents) {
    long more = (extents - extents()) * HeapMemory.EXTENT_SIZE;
    if (extents > HeapMemory.EXTENTS_MAX) {
      throw full(extents, "a heap has at most %d bytes".formatted(maxSize()));
    }
    if (more <= 0) {
      return;
    }
    long available;
    try {
      available = Dram.availableBytes();
    } catch (IOException e) {
      throw full(extents, "the available memory cannot be read: " + e);
    }
    if (more > available) {
      throw full(extents, "%d more are needed, and %d are available".formatted(more, available));
    }
  }

  private static long maxSize() {
    return HeapMemory.EXTENTS_MAX * HeapMemory.EXTENT_SIZE;
  }

  private StoreFullException full(int extents, String why) {
    return new StoreFullException(
        "the heap of the store in %s is in memory, and %d bytes do not fit there: %s. Remove what is not needed and call store.gc(), give the machine or the container more memory, or copy the objects, with PmStore.copy, into a store of another storage"
            .formatted(directory, extents * HeapMemory.EXTENT_SIZE, why));
  }

  /** Adds extents of zeros until there are so many. */
  void grow(int extents) {
    while (extents() < extents) {
      Arena arena = Arena.ofShared();
      MemorySegment extent;
      try {
        extent = MappedFiles.anonymous(HeapMemory.EXTENT_SIZE, arena);
      } catch (MapException e) {
        arena.close();
        throw full(extents, String.valueOf(e.getMessage()));
      }
      arenas.add(arena);
      memory.addExtent(extent);
    }
  }

  /** Removes the extents behind a size, which {@link HeapMemory#checkCut} accepts. */
  void cut(long size) {
    memory.cut(size);
    while (arenas.size() > extents()) {
      arenas.removeLast().close();
    }
  }

  /** Removes all extents. */
  void clear() {
    memory.clear();
  }

  /** Gives the memory back; {@link #clear} was called. */
  void close() {
    arenas.forEach(Arena::close);
    arenas.clear();
  }
}
