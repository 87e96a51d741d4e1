package io.pmstore.proxy.identity;

import io.pmstore.core.engine.Mutex;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.spi.ObjectHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Java objects of classes that have {@link io.pmstore.OnLoad} methods. Thread-safe.
 *
 * <p>An {@code OnLoad} method may read other objects with such methods, which may refer back to the
 * first one: they see it in its present state. Other threads see none of these objects until all
 * their methods have returned, so no loaded object can refer to one that failed to load. Until then
 * the objects are hidden in the identity map, which already keeps their addresses from being given
 * out again. One thread at a time loads; two threads could each make an object of one address and
 * hand theirs out. The caller is inside a transaction or a consistent read, so the thread that
 * holds the lock never waits for a transaction of a thread that waits for the lock.
 */
final class Loading {
  private record Loaded(long address, Object object) {}

  private final Heap heap;
  private final IdentityMap identities;
  private final LongPredicate isShared;
  private final Mutex lock = new Mutex();
  private final List<Loaded> loaded = new ArrayList<>();

  /**
   * Loads objects of a heap.
   *
   * @param isShared whether what the current view shows at an address may have the Java object that
   *     all views share
   */
  Loading(Heap heap, IdentityMap identities, LongPredicate isShared) {
    this.heap = heap;
    this.identities = identities;
    this.isShared = isShared;
  }

  /**
   * Returns the object at an address, and makes and loads it if there is none. Returns null if the
   * address has to be read again.
   */
  @Nullable Object load(long address, PersistentClass type, ObjectHandle handle) {
    try (var _ = lock.hold()) {
      Object known = find(address);
      if (known == null) {
        return make(address, type, handle);
      }
      return isShared.test(address) ? known : null;
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

  @SuppressWarnings("ReferenceEquality") // identity tells which of two equal objects was added
  private @Nullable Object make(long address, PersistentClass type, ObjectHandle handle) {
    Object made = type.newPersistent(handle);
    Object added = identities.putHidden(address, made, isShared);
    if (added != made) {
      return added;
    }
    int before = loaded.size();
    loaded.add(new Loaded(address, made));
    boolean ended = false;
    try {
      heap.becamePinned(address);
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
