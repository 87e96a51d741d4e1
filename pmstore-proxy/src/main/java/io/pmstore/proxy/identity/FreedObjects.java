package io.pmstore.proxy.identity;

import io.pmstore.core.heap.Heap;
import io.pmstore.spi.PersistentObject;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The objects that records from outside have freed, as long as an open snapshot may show them. By
 * then other objects may have their addresses, so this class keeps the Java objects of freed
 * objects apart from the identity map. Thread-safe.
 */
final class FreedObjects {
  /** How often reads look whether snapshots have ended. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A freed object, and its Java object while that is alive. */
  static final class Freed {
    private final long address;
    final long position; // of the record
    private volatile @Nullable Freed earlier; // at the same address
    private volatile boolean isKnown; // whether it had a Java object
    private @Nullable WeakReference<PersistentObject> object;

    private Freed(long address, long position, @Nullable Freed earlier) {
      this.address = address;
      this.position = position;
      this.earlier = earlier;
    }

    /** Ends its addition: sets the Java object that it had, if it had one. */
    void had(@Nullable PersistentObject known) {
      if (known != null) {
        putIfAbsent(known);
      }
      isKnown = true;
    }

    /** Returns its Java object, or null if there is none. */
    @Nullable PersistentObject object() {
      while (!isKnown) {
        Thread.onSpinWait(); // the record that frees it is being applied
      }
      return get();
    }

    private synchronized @Nullable PersistentObject get() {
      return object == null ? null : object.get();
    }

    /** Sets its Java object, unless there is one; returns the one that it has then. */
    synchronized PersistentObject putIfAbsent(PersistentObject made) {
      PersistentObject known = get();
      if (known == null) {
        object = new WeakReference<>(made);
        return made;
      }
      return known;
    }

    /** Takes back a Java object that could not be loaded. */
    synchronized void remove(PersistentObject made) {
      if (object != null && object.refersTo(made)) {
        object = null;
      }
    }
  }

  private final Heap heap;
  private final Deque<Freed> all = new ArrayDeque<>(); // ascending by position
  private final Map<Long, Freed> last = new ConcurrentHashMap<>(); // by address
  private volatile boolean isEmpty = true;
  private volatile long looked;

  FreedObjects(Heap heap) {
    this.heap = heap;
  }

  /**
   * Adds an object that the record which is being applied has freed. From now on {@link #find}
   * finds it; the caller then takes its Java object away, and passes that to {@link Freed#had}.
   */
  synchronized Freed add(long address) {
    Freed freed = new Freed(address, heap.reclamation().position(), last.get(address));
    all.add(freed);
    last.put(address, freed);
    isEmpty = false;
    return freed;
  }

  /** Forgets what no snapshot shows any more. */
  synchronized void endUnshown() {
    looked = System.nanoTime();
    for (Freed ended = all.peek();
        ended != null && ended.isKnown && !heap.mayBeShown(ended.position);
        ended = all.peek()) {
      all.remove();
      last.remove(ended.address, ended); // unless there is a later one
      ended.earlier = null;
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
    if (!heap.inSnapshot()) {
      if (System.nanoTime() - looked > LOOK_NANOS) {
        endUnshown(); // no further record may come
      }
      return null;
    }
    Freed shown = null;
    for (Freed f = last.get(address); f != null; f = f.earlier) {
      shown = heap.inSnapshotBefore(f.position) ? f : shown; // the first one since the snapshot
    }
    return shown;
  }
}
