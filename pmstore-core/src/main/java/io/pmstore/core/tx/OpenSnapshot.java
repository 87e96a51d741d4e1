package io.pmstore.core.tx;

import io.pmstore.SnapshotEndedException;
import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One state of the store, readable until the snapshot is closed. Commits continue and keep
 * before-images of the objects that they change. Safe for use by any number of threads.
 */
public final class OpenSnapshot implements AutoCloseable {
  private final Snapshots snapshots;
  private final BeforeImages images;
  private final HeapMemory memory;
  private final boolean copiesSpace;
  private volatile long position = BeforeImage.PENDING;
  private volatile long size;
  private final long opened = System.nanoTime();
  private volatile boolean isEnded; // its before-images may be gone
  // Each image is in the list of one open snapshot: the one that was newest when the commit kept
  // it. When that closes, it drops the image, or passes it on to an older snapshot that needs it.
  private final AtomicReference<@Nullable BeforeImage> owned = new AtomicReference<>();

  OpenSnapshot(Snapshots snapshots, BeforeImages images, HeapMemory memory, boolean copiesSpace) {
    this.copiesSpace = copiesSpace;
    this.snapshots = snapshots;
    this.images = images;
    this.memory = memory;
  }

  /** Fixes the state: that after the commit at a position. */
  void open(long at) {
    size = memory.size();
    position = at;
  }

  /** Returns which state this is: the position of the last commit in it. */
  public long position() {
    return position;
  }

  /** Returns how large the heap was: the bytes that hold the whole state. */
  public long size() {
    return size;
  }

  /** Returns true if the space of objects that nothing reaches is shown too. */
  boolean copiesSpace() {
    return copiesSpace;
  }

  BeforeImages images() {
    return images;
  }

  /** Ends the snapshot before it is closed: from now on it may lack before-images. */
  void end() {
    isEnded = true;
  }

  boolean isEnded() {
    return isEnded;
  }

  /**
   * Throws if the snapshot was ended. Called when a read has looked for a before-image.
   *
   * @throws SnapshotEndedException if there may have been one
   */
  void checkNotEnded() {
    if (isEnded) {
      throw new SnapshotEndedException(
          "the store has ended this snapshot or backup, which was opened %d seconds ago: a follower cannot refuse the changes of its leader, and of the %d bytes that the Java heap can have (-Xmx) too few are left to keep what they change as the snapshot shows it. Read again in a new snapshot; keep snapshots shorter, or give the JVM a larger heap"
              .formatted(
                  TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - opened),
                  Runtime.getRuntime().maxMemory()));
    }
  }

  /**
   * Adds an image to those that this snapshot drops or passes on; returns false if it is closed.
   */
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
   * @throws SnapshotEndedException if the store has ended the snapshot
   */
  public void copyExtent(int extent, MemorySegment copy) {
    copy.copyFrom(memory.slice((long) extent << HeapMemory.EXTENT_SHIFT, HeapMemory.EXTENT_SIZE));
    VarHandle.loadLoadFence(); // first the heap, then the images of what has changed meanwhile
    images.overlay(extent, copy, position);
    checkNotEnded();
  }

  /** Gives the state up. Closing twice is harmless. */
  @Override
  public void close() {
    snapshots.close(this);
  }
}
