package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One state of the store, which stays readable until this is closed. Commits go on; they keep what
 * they change. Safe for use by any number of threads.
 */
public final class OpenSnapshot implements AutoCloseable {
  private final Snapshots snapshots;
  private final BeforeImages images;
  private final HeapMemory memory;
  private final boolean copiesSpace;
  private volatile long position = BeforeImage.PENDING;
  private volatile long size;
  // The images kept while this was the newest snapshot: each is in the list of one open snapshot,
  // which when it closes drops it, or passes it on to an older one that needs it.
  private final AtomicReference<@Nullable BeforeImage> owned = new AtomicReference<>();

  OpenSnapshot(Snapshots snapshots, BeforeImages images, HeapMemory memory, boolean copiesSpace) {
    this.copiesSpace = copiesSpace;
    this.snapshots = snapshots;
    this.images = images;
    this.memory = memory;
  }

  /** Fixes the state: that of the last commit up to a position. */
  void open(long at) {
    size = memory.size();
    position = at;
  }

  /**
   * Which state it is.
   *
   * @return the position of the last commit that it holds
   */
  public long position() {
    return position;
  }

  /**
   * How large the heap was.
   *
   * @return bytes that hold the whole state
   */
  public long size() {
    return size;
  }

  /** Whether it shows the space of objects that nothing reaches, too. */
  boolean copiesSpace() {
    return copiesSpace;
  }

  BeforeImages images() {
    return images;
  }

  /** Makes an image one of those that this snapshot drops; false if it is closed. */
  boolean own(BeforeImage image) {
    while (true) {
      BeforeImage first = owned.get();
      if (first == BeforeImage.SEALED) {
        return false;
      }
      image.setNext(first);
      if (owned.compareAndSet(first, image)) {
        return true;
      }
    }
  }

  /** Ends {@link #own}; returns the images that this snapshot owned, as a list. */
  @Nullable BeforeImage seal() {
    BeforeImage first = owned.getAndSet(BeforeImage.SEALED);
    return first == BeforeImage.SEALED ? null : first;
  }

  /**
   * Copies an extent as it was.
   *
   * @param extent its number, below {@link #size} / {@link HeapMemory#EXTENT_SIZE}
   * @param copy gets its {@link HeapMemory#EXTENT_SIZE} bytes
   */
  public void copyExtent(int extent, MemorySegment copy) {
    copy.copyFrom(memory.slice((long) extent << HeapMemory.EXTENT_SHIFT, HeapMemory.EXTENT_SIZE));
    VarHandle.loadLoadFence(); // what was read too late is found among the images
    images.overlay(extent, copy, position);
  }

  /** Gives the state up. Closing twice does nothing more. */
  @Override
  public void close() {
    snapshots.close(this);
  }
}
