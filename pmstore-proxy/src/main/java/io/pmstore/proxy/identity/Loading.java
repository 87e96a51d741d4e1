package io.pmstore.proxy.identity;

import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.spi.ObjectHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects back whose classes have {@link io.pmstore.OnLoad} methods. Safe for use by any
 * number of threads.
 *
 * <p>Such a method may read other objects with such methods, which may refer to the first one: they
 * see it as it is then. Other threads see none of them before all have ended, so that no object
 * that failed to load is remembered by one that did not; until then they are hidden among the
 * others, which already keeps their addresses from being given out again. One thread at a time
 * loads, or two could each make an object of one address and give theirs away. The caller is inside
 * a transaction or a consistent read, so a thread that waits here waits for none that waits for its
 * transaction.
 */
final class Loading {
  private record Loaded(long address, Object object) {}

  private final Heap heap;
  private final IdentityMap identities;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Loaded> loaded = new ArrayList<>();

  Loading(Heap heap, IdentityMap identities) {
    this.heap = heap;
    this.identities = identities;
  }

  /**
   * The object of an address, made and loaded if the program does not have it.
   *
   * @return the object; null if the address has to be read again
   */
  @Nullable Object load(long address, PersistentClass type, ObjectHandle handle) {
    lock.lock();
    try {
      Object known = find(address);
      if (known == null) {
        return make(address, type, handle);
      }
      return heap.mayBeHeld(address) ? known : null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Object find(long address) {
    for (Loaded one : loaded) {
      if (one.address() == address) {
        return one.object();
      }
    }
    return identities.get(address);
  }

  @SuppressWarnings("ReferenceEquality") // it matters which of two equal ones was added
  private @Nullable Object make(long address, PersistentClass type, ObjectHandle handle) {
    Object made = type.newPersistent(handle);
    Object added = identities.putHidden(address, made, heap::mayBeHeld);
    if (added != made) {
      return added;
    }
    int before = loaded.size();
    loaded.add(new Loaded(address, made));
    boolean ended = false;
    try {
      heap.becameHeld(address);
      type.onLoad(made);
      ended = true;
    } finally {
      if (!ended) {
        List<Loaded> undone = loaded.subList(before, loaded.size());
        undone.forEach(one -> identities.remove(one.address(), one.object()));
        undone.clear();
      }
    }
    if (before == 0) {
      loaded.forEach(one -> identities.show(one.address(), one.object()));
      loaded.clear();
    }
    return made;
  }
}
