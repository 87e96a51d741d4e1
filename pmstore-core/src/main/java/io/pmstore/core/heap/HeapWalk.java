package io.pmstore.core.heap;

import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;

/**
 * Goes through all allocated objects of a heap by its chunk tables and bitmaps, a chunk at a time,
 * while transactions run and the heap grows. An object that is there when the walk begins, and
 * stays, is visited; one made meanwhile may be or not. What can no longer be reached is visited
 * too.
 *
 * <p>What a visitor is told was committed once, and may have changed since: it looks again in a
 * transaction of its own. The heap's own objects are left out, and so are the bodies of moved
 * objects, which are visited at home.
 *
 * <p>Not safe for several threads; to be used outside transactions and snapshots.
 */
public final class HeapWalk {
  private final Heap heap;
  private final Visitor visitor;
  private long position;

  /** Takes the objects. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes an object.
     *
     * @param home the address that references to it hold
     * @param header its header word; that of its body if it has moved
     */
    void object(long home, long header);
  }

  /**
   * Prepares a walk.
   *
   * @param heap the heap
   * @param position where to begin: 0, or the {@linkplain #position() position} of a walk that did
   *     not reach the end
   * @param visitor takes the objects
   */
  public HeapWalk(Heap heap, long position, Visitor visitor) {
    this.heap = heap;
    this.position = position & -ExtentLayout.CHUNK_SIZE;
    this.visitor = visitor;
  }

  /**
   * Visits the objects of the next chunk, at most about a thousand. If the visitor throws, the next
   * step visits that chunk again.
   *
   * @return false if there is none: the walk is at its end
   * @throws io.pmstore.StoreDamagedException if the chunk is of no valid kind
   */
  public boolean step() {
    if (position >= heap.memory().size()) {
      return false;
    }
    heap.reclamation()
        .forEachAllocated(position, (address, header, bytes) -> object(address, header));
    position += ExtentLayout.CHUNK_SIZE;
    return true;
  }

  /**
   * Where the walk is.
   *
   * @return the place of the next chunk, for a walk that goes on from here some time later
   */
  public long position() {
    return position;
  }

  /**
   * How much of the heap, as large as it is now, the walk has gone through.
   *
   * @return from 0 to 1
   */
  public double fraction() {
    return Math.min(1, (double) position / heap.memory().size());
  }

  private void object(long address, long first) {
    long header = first;
    if (ObjectLayout.shapeId(header) == ObjectLayout.SHAPE_CORE || ObjectLayout.isBody(header)) {
      return; // or made by a commit that is under way
    }
    if (heap.bodies().isForwarder(header)) {
      header = heap.committedLong(heap.body(address), 0);
    }
    visitor.object(address, header);
  }
}
