package io.pmstore.core.memory;

import io.pmstore.StoreFullException;
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
public final class DramHeap {
  private final Path directory;
  private final int extentsMax;
  private final HeapMemory memory = new HeapMemory();
  private final List<Arena> arenas = new ArrayList<>();

  /**
   * Creates a heap without extents.
   *
   * @param directory of the store, for messages
   * @param extentsMax the most extents that the engine can have
   */
  public DramHeap(Path directory, int extentsMax) {
    this.directory = directory;
    this.extentsMax = extentsMax;
  }

  /** Returns the memory, the same one each time. */
  public HeapMemory memory() {
    return memory;
  }

  /** Returns the number of extents. */
  public int extents() {
    return (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
  }

  /**
   * Checks that there is memory for a heap of so many extents.
   *
   * @throws StoreFullException if there is not
   */
  public void checkRoom(int extents) {
    long more = (extents - extents()) * HeapMemory.EXTENT_SIZE;
    if (extents > extentsMax) {
      throw full(extents, "a heap of this storage has at most %d bytes".formatted(maxSize()));
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

  private long maxSize() {
    return extentsMax * HeapMemory.EXTENT_SIZE;
  }

  private StoreFullException full(int extents, String why) {
    return new StoreFullException(
        "the heap of the store in %s is in memory, and %d bytes do not fit there: %s. Remove what is not needed and call store.gc(), give the machine or the container more memory, or copy the objects, with PmStore.copy, into a store of another storage"
            .formatted(directory, extents * HeapMemory.EXTENT_SIZE, why));
  }

  /**
   * Adds extents of zeros until there are so many.
   *
   * @throws StoreFullException if the system gives no more memory
   */
  public void grow(int extents) {
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
  public void cut(long size) {
    memory.cut(size);
    while (arenas.size() > extents()) {
      arenas.removeLast().close();
    }
  }

  /** Removes all extents. */
  public void clear() {
    memory.clear();
  }

  /** Gives the memory back; {@link #clear} was called. */
  public void close() {
    arenas.forEach(Arena::close);
    arenas.clear();
  }
}
