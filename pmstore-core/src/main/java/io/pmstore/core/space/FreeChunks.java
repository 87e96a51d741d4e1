package io.pmstore.core.space;

import io.pmstore.StoreFullException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.memory.HeapMemory;
import java.util.BitSet;
import java.util.function.LongConsumer;

/**
 * The chunks that nothing uses, in memory, and the size of the heap.
 *
 * <p>Opening a store reads no allocation data. An extent's chunk table is read when space in it is
 * first needed, starting with the last extent, and the heap grows only after all tables are read.
 *
 * <p>Thread-safe; its monitor also guards what the {@link Allocator} knows of chunks in use.
 */
public final class FreeChunks {
  private final Engine engine;
  private final HeapMemory memory;

  // Held while the heap grows or shrinks; taken before the monitor.
  private final Mutex growing = new Mutex();

  private final ChunkMap free = new ChunkMap();
  private final LongStack[] used = new LongStack[SizeClasses.COUNT];
  private final BitSet readExtents = new BitSet();
  private volatile boolean full;

  FreeChunks(Engine engine) {
    this.engine = engine;
    this.memory = engine.memory();
    engine.keepAtClose(ExtentLayout::usedEnd);
    for (int i = 0; i < used.length; i++) {
      used[i] = new LongStack();
    }
  }

  /**
   * Takes adjacent free chunks, and grows the heap if there are none. Called without the monitor,
   * because growing takes long.
   */
  long take(int chunks) {
    while (true) {
      long writable = memory.writableBytes();
      long address = find(chunks);
      if (address != 0) {
        return address;
      }
      growFrom(writable);
    }
  }

  /** Takes adjacent free chunks, or returns 0 if the heap has none. */
  private synchronized long find(int chunks) {
    while (true) {
      long address = free.take(chunks);
      if (address != 0 || !readTable()) {
        return address;
      }
    }
  }

  /** Reads the chunk table of the last extent that was not read; returns false if all were. */
  synchronized boolean readTable() {
    int extent = readExtents.previousClearBit(extents() - 1);
    if (extent < 0) {
      return false;
    }
    read(extent);
    return true;
  }

  private void growFrom(long writable) {
    try (var _ = growing.hold()) {
      if (memory.writableBytes() != writable) {
        return; // another thread has already changed the size
      }
      int whole = extent(writable);
      int more = Math.clamp(whole / 8, 1, 16);
      grow(
          whole == 0
              ? Math.min(2 * writable, HeapMemory.EXTENT_SIZE)
              : (long) (whole + more) << HeapMemory.EXTENT_SHIFT);
      addGrown(writable, memory.writableBytes());
    }
  }

  /** Adds all chunks that the heap has grown by, so that the lowest are used first. */
  private synchronized void addGrown(long from, long to) {
    int extent = extent(from);
    int begun = chunksWithin(from, extent);
    if (begun > 0) { // the last extent had only its beginning; its table is read
      addFree(extent, begun, chunksWithin(to, extent));
      extent++;
    }
    for (; extent <= extent(to - 1); extent++) {
      if (!readExtents.get(extent)) { // otherwise another thread has read its table since
        readExtents.set(extent);
        addFree(extent, 1, chunksWithin(to, extent));
      }
    }
  }

  private void grow(long size) {
    try {
      engine.grow(size);
      full = false;
    } catch (StoreFullException e) {
      full = true;
      throw new StoreFullException(
          e.getMessage()
              + "; once the program has dropped its Java objects for removed objects, store.gc()"
              + " frees the space of these",
          e);
    }
  }

  /** Adds chunks that became free. The table of their extent was read before they did. */
  synchronized void add(long address, int chunks) {
    free.add(address, chunks);
  }

  /**
   * Reads the chunk table of the extent of an address, unless that was done. This must happen
   * before a chunk in the extent becomes free; otherwise the chunk would be added twice.
   */
  synchronized void readTableOf(long address) {
    read(extent(address));
  }

  /**
   * Returns the addresses of the chunks of a size class that the tables have shown to be in use;
   * the allocator, which holds the monitor, takes them away.
   */
  LongStack used(int sizeClass) {
    return used[sizeClass];
  }

  /** Forgets everything that was read. */
  synchronized void forget() {
    free.clear();
    for (LongStack each : used) {
      each.clear();
    }
    readExtents.clear();
    full = false;
  }

  /** Returns true if the last attempt to grow the heap failed. */
  public boolean isFull() {
    return full;
  }

  /**
   * Extents at the end of the heap, taken out of use: the addresses from {@code from} to {@code
   * to}, exclusive, where the heap ends.
   */
  public record Tail(long from, long to) {
    /** Returns true if there are none. */
    public boolean isEmpty() {
      return from == to;
    }
  }

  /**
   * Takes the wholly free extents at the end of the heap out of use. The caller passes them to
   * {@link #cut}.
   */
  public synchronized Tail takeTail() {
    long to = memory.writableBytes(); // read once: the heap may grow meanwhile
    int end = extent(to - 1) + 1;
    while (end > 1) {
      read(end - 1);
      if (!free.takeAt(ExtentLayout.chunkAddress(end - 1, 1), chunksWithin(to, end - 1) - 1)) {
        break;
      }
      end--;
    }
    return new Tail(Math.min((long) end << HeapMemory.EXTENT_SHIFT, to), to);
  }

  /**
   * Shrinks the heap, unless it has grown since {@link #takeTail}. Extents of the tail that remain
   * part of the heap are free again.
   *
   * @param tail from {@link #takeTail}
   * @param shrink receives the new size of the heap, in bytes
   */
  public void cut(Tail tail, LongConsumer shrink) {
    try (var _ = growing.hold()) {
      cutAlone(tail, shrink);
    }
  }

  private synchronized void cutAlone(Tail tail, LongConsumer shrink) {
    try {
      if (memory.writableBytes() == tail.to()) {
        shrink.accept(tail.from());
      }
    } finally {
      int extents = extents();
      int end = extent(tail.to() - 1) + 1;
      if (extents < end) {
        readExtents.clear(extents, end);
      }
      for (int i = extent(tail.from()); i < Math.min(end, extents); i++) {
        addFree(i, 1, chunksWithin(tail.to(), i));
      }
    }
  }

  private static int extent(long address) {
    return (int) (address >>> HeapMemory.EXTENT_SHIFT);
  }

  private int extents() {
    return (int) (memory.size() >>> HeapMemory.EXTENT_SHIFT);
  }

  /** Reads an extent's chunk table, unless that was done. */
  private void read(int extent) {
    if (readExtents.get(extent)) {
      return;
    }
    readExtents.set(extent);
    int first = extent == 0 ? ExtentLayout.SUPERBLOCK_CHUNK + 1 : 1;
    int freeFrom = first;
    int chunk = first;
    int chunks = chunksWithin(memory.writableBytes(), extent);
    while (chunk < chunks) {
      long address = ExtentLayout.chunkAddress(extent, chunk);
      long descriptor = memory.getLong(ExtentLayout.descriptorAddress(address));
      int kind = ExtentLayout.kind(descriptor);
      int length = 1;
      if (kind != ExtentLayout.KIND_FREE) {
        addFree(extent, freeFrom, chunk);
        ExtentLayout.check(descriptor, address);
        if (kind == ExtentLayout.KIND_SLOTS) {
          used[ExtentLayout.sizeClass(descriptor)].push(address);
        } else {
          length = ExtentLayout.runChunks(descriptor);
        }
        freeFrom = chunk + length;
      }
      chunk += length;
    }
    addFree(extent, freeFrom, chunks);
  }

  /** Returns the number of an extent's chunks in a heap with {@code bytes} bytes. */
  private static int chunksWithin(long bytes, int extent) {
    long inExtent = bytes - ((long) extent << HeapMemory.EXTENT_SHIFT);
    return (int) (Math.min(inExtent, HeapMemory.EXTENT_SIZE) >>> ExtentLayout.CHUNK_SHIFT);
  }

  private void addFree(int extent, int from, int to) {
    if (to > from) {
      free.add(ExtentLayout.chunkAddress(extent, from), to - from);
    }
  }
}
