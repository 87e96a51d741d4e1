package io.pmstore.core.engine;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFullException;
import io.pmstore.StoreLockedException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An engine in memory only: for tests of the layers above, and the smallest example of the seam.
 */
public final class MemoryEngine implements Engine {
  private final HeapMemory memory = new HeapMemory();
  private final Image image;
  private final long commitMax;
  private long position;
  private boolean closed;

  /** What a closed engine leaves behind, and the next one finds. */
  public static final class Image {
    private final AtomicBoolean open = new AtomicBoolean();
    private final List<MemorySegment> extents = new ArrayList<>();

    /**
     * What a kill of the process would leave behind now. No commit may be running.
     *
     * @return a copy
     */
    public Image copy() {
      Image copy = new Image();
      for (MemorySegment extent : extents) {
        copy.extents.add(newExtent().copyFrom(extent));
      }
      return copy;
    }
  }

  /** Opens an empty space that nobody else sees, with no limit on write sets. */
  public MemoryEngine() {
    this(new Image(), Long.MAX_VALUE);
  }

  /**
   * Opens a space.
   *
   * @param image where it is kept
   * @param commitMax the largest encoded write set, in bytes
   */
  public MemoryEngine(Image image, long commitMax) {
    if (!image.open.compareAndSet(false, true)) {
      throw new StoreLockedException("the image is open already");
    }
    this.image = image;
    this.commitMax = commitMax;
    image.extents.forEach(memory::addExtent);
  }

  private static MemorySegment newExtent() {
    return Arena.ofAuto().allocate(HeapMemory.EXTENT_SIZE, 4096);
  }

  @Override
  public synchronized HeapMemory memory() {
    checkUsable();
    return memory;
  }

  @Override
  public synchronized void grow(long size) {
    checkUsable();
    if (size > HeapMemory.EXTENTS_MAX * HeapMemory.EXTENT_SIZE) {
      throw new StoreFullException("no heap has " + size + " bytes");
    }
    while (memory.size() < size) {
      MemorySegment extent = newExtent();
      image.extents.add(extent);
      memory.addExtent(extent);
    }
  }

  @Override
  public synchronized void shrink(long size) {
    checkUsable();
    memory.cut(size);
    image.extents.subList((int) (size >>> HeapMemory.EXTENT_SHIFT), image.extents.size()).clear();
  }

  @Override
  public Commit place(WriteSet writes) {
    return () -> commitAtOnce(writes);
  }

  private synchronized long commitAtOnce(WriteSet writes) {
    checkUsable();
    if (writes.encodedSize() > commitMax) {
      throw new TransactionTooLargeException(
          "a write set of " + writes.encodedSize() + " bytes, more than " + commitMax);
    }
    writes.resolve(memory);
    long next = position + 1;
    position = next; // before the changes can be seen, as the transactions above require
    writes.forEachRange(memory::write);
    return next;
  }

  @Override
  public synchronized void sync(long upTo) {
    checkUsable();
  }

  @Override
  public synchronized long position() {
    checkUsable();
    return position;
  }

  @Override
  public synchronized void checkUsable() {
    if (closed) {
      throw new StoreClosedException("the engine is closed");
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      memory.clear();
      image.open.set(false);
    }
  }
}
