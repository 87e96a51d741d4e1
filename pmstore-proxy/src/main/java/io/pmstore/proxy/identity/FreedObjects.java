package io.pmstore.proxy.identity;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.PersistentObject;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects that records from outside have freed, as long as an open snapshot may show them.
 * Other objects may have their addresses by then, so these have Java objects apart. Thread-safe.
 */
final class FreedObjects {
  /** A freed object, and its Java object while that is alive. */
  static final class Freed {
    private final long address;
    private final long position; // of the record
    private @Nullable Freed earlier; // at the same address
    private @Nullable WeakReference<PersistentObject> object;

    private Freed(
        long address,
        long position,
        @Nullable Freed earlier,
        @Nullable WeakReference<PersistentObject> object) {
      this.address = address;
      this.position = position;
      this.earlier = earlier;
      this.object = object;
    }

    /** Returns its Java object, or null if there is none. */
    synchronized @Nullable PersistentObject object() {
      return object == null ? null : object.get();
    }

    /** Sets its Java object, unless there is one; returns the one that it has then. */
    synchronized PersistentObject object(PersistentObject made) {
      PersistentObject known = object();
      if (known == null) {
        object = new WeakReference<>(made);
        return made;
      }
      return known;
    }
  }

  private final Heap heap;
  private final Deque<Freed> all = new ArrayDeque<>(); // ascending by position
  private final Map<Long, Freed> last = new HashMap<>(); // by address
  private volatile boolean isEmpty = true;

  FreedObjects(Heap heap) {
    this.heap = heap;
  }

  /**
   * Adds an object that the record which is being applied has freed. Ends the Java objects that no
   * snapshot may show any more.
   *
   * @param object its Java object, if there is one
   */
  synchronized void add(long address, @Nullable PersistentObject object) {
    Freed freed =
        new Freed(
            address,
            heap.reclamation().position(),
            last.get(address),
            object == null ? null : new WeakReference<>(object));
    all.add(freed);
    last.put(address, freed);
    while (!all.isEmpty() && !heap.mayBeShown(all.getFirst().position)) {
      Freed ended = all.remove();
      last.remove(ended.address, ended); // unless there is a later one
      ended.earlier = null;
      if (PersistentObject.handleOf(ended.object()) instanceof HeapObject handle) {
        handle.freedElsewhere();
      }
    }
    isEmpty = all.isEmpty();
  }

  boolean isEmpty() {
    return isEmpty;
  }

  /**
   * Returns the object that the current snapshot shows at an address, if it was freed since; null
   * outside of snapshots.
   */
  @Nullable Freed find(long address) {
    if (isEmpty) {
      return null;
    }
    synchronized (this) {
      Freed shown = null;
      for (Freed f = last.get(address); f != null; f = f.earlier) {
        shown = heap.inSnapshotBefore(f.position) ? f : shown; // the first one since the snapshot
      }
      return shown;
    }
  }
}
