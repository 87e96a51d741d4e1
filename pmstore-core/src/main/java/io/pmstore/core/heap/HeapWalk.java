package io.pmstore.core.heap;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;

/**
 * Visits all allocated objects of a heap, a chunk at a time, by its chunk tables and bitmaps, while
 * transactions run and the heap grows. The walk visits each object that exists from its beginning
 * to its end, also if nothing reaches it; it may visit objects made meanwhile. It skips the heap's
 * own objects. A moved object is visited once, at its home.
 *
 * <p>What a visitor gets was committed once and may have changed since, so it reads the object
 * again in a transaction of its own.
 *
 * <p>Not safe for use by several threads; used outside transactions and snapshots.
 */
public final class HeapWalk {
  private final Heap heap;
  private final Visitor visitor;
  private long position;

  /** Gets the objects. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Gets an object.
     *
     * @param home the address that references to it hold
     * @param header its header word; that of its body if it has moved
     */
    void object(long home, long header);
  }

  /**
   * Prepares a walk.
   *
   * @param position where to begin: 0, or the {@linkplain #position() position} of a walk that did
   *     not reach the end
   * @param visitor gets the objects
   */
  public HeapWalk(Heap heap, long position, Visitor visitor) {
    this.heap = heap;
    this.position = position & -ExtentLayout.CHUNK_SIZE;
    this.visitor = visitor;
  }

  /**
   * Visits the objects of the next chunk, about a thousand at most. If the visitor throws, the next
   * step visits that chunk again.
   *
   * @return false if the walk is at its end
   * @throws io.pmstore.StoreDamagedException if the chunk is of no valid kind
   */
  public boolean step() {
    if (position >= heap.memory().size()) {
      return false;
    }
    try {
      heap.reclamation()
          .forEachAllocated(position, (address, header, bytes) -> object(address, header));
    } catch (StoreDamagedException e) {
      if (position >= heap.memory().size()) {
        return false; // it was cut off meanwhile
      }
      throw e;
    }
    position += ExtentLayout.CHUNK_SIZE;
    return true;
  }

  /**
   * Returns where the walk is: the address of the next chunk, from which a later walk can go on.
   */
  public long position() {
    return position;
  }

  /** Returns the part of the heap, in its present size, that the walk has visited, from 0 to 1. */
  public double fraction() {
    return Math.min(1, (double) position / heap.memory().size());
  }

  private void object(long address, long first) {
    long header = first;
    if (ObjectLayout.shapeId(header) == ObjectLayout.SHAPE_CORE || ObjectLayout.isBody(header)) {
      return; // or made by a commit that is under way
    }
    if (heap.bodies().isForwarder(header)) {
      header = heap.committedLong(heap.bodies().body(address), 0);
    }
    visitor.object(address, header);
  }
}
