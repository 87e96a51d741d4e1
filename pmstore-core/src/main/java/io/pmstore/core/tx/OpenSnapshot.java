package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One state of the store, which stays readable until this is closed. Commits go on; they keep what
 * they change. Safe for use by any number of threads.
 */
public final class OpenSnapshot implements AutoCloseable {
  private static final VarHandle OWNED;
  // What the list of a closed snapshot starts with: nothing can be added to it any more.
  private static final BeforeImage SEALED = new BeforeImage(new HeapMemory(), 0, 0, null);

  static {
    try {
      OWNED = MethodHandles.lookup().findVarHandle(OpenSnapshot.class, "owned", BeforeImage.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Snapshots snapshots;
  private final BeforeImages images;
  private final HeapMemory memory;
  private volatile long position = BeforeImage.PENDING;
  private volatile long size;
  // The images kept while this was the newest snapshot: each is in the list of one open snapshot,
  // which when it closes drops it, or passes it on to an older one that needs it.
  private volatile @Nullable BeforeImage owned;

  OpenSnapshot(Snapshots snapshots, BeforeImages images, HeapMemory memory) {
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

  BeforeImages images() {
    return images;
  }

  /** Makes an image one of those that this snapshot drops; false if it is closed. */
  boolean own(BeforeImage image) {
    while (true) {
      BeforeImage first = owned;
      if (first == SEALED) {
        return false;
      }
      image.setNext(first);
      if (OWNED.compareAndSet(this, first, image)) {
        return true;
      }
    }
  }

  /** Ends {@link #own}; returns the images that this snapshot owned, as a list. */
  @Nullable BeforeImage seal() {
    BeforeImage first = (BeforeImage) OWNED.getAndSet(this, SEALED);
    return first == SEALED ? null : first;
  }

  /**
   * Copies an extent as it was.
   *
   * @param extent its number, below {@link #size} / {@link HeapMemory#EXTENT_SIZE}
   * @param copy gets its {@link HeapMemory#EXTENT_SIZE} bytes
   */
  public void copyExtent(int extent, byte[] copy) {
    memory.read((long) extent << HeapMemory.EXTENT_SHIFT, copy, 0, (int) HeapMemory.EXTENT_SIZE);
    VarHandle.loadLoadFence(); // what was read too late is found among the images
    images.overlay(extent, copy, position);
  }

  /** Gives the state up. Closing twice does nothing more. */
  @Override
  public void close() {
    snapshots.close(this);
  }
}
