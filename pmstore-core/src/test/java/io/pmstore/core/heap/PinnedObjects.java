package io.pmstore.core.heap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** An object layer whose "Java objects" tests keep, each by any number of threads. */
final class PinnedObjects extends NoObjects {
  private final Map<Long, Integer> holders = new HashMap<>();
  private @Nullable Runnable afterLook;

  /** Has something done once, just after somebody has looked for a Java object. */
  void afterNextLook(Runnable action) {
    afterLook = action;
  }

  /**
   * Makes a Java object for an address that the current transaction has just read in some object,
   * or takes the one that is there.
   */
  void take(Heap heap, long address) {
    while (true) {
      heap.shapeId(address); // depends on it
      synchronized (holders) {
        if (holders.containsKey(address) || heap.mayBePinned(address)) {
          if (holders.merge(address, 1, Integer::sum) == 1) {
            heap.becamePinned(address);
          }
          return;
        }
      }
    }
  }

  /** Notes the Java object of an object that the current transaction has made. */
  void made(long address) {
    synchronized (holders) {
      holders.put(address, 1);
    }
  }

  /** Lets go of a Java object. */
  void drop(long address) {
    synchronized (holders) {
      holders.computeIfPresent(address, (a, count) -> count == 1 ? null : count - 1);
    }
  }

  @Override
  public @Nullable Object pinning(long address) {
    Object pinning;
    synchronized (holders) {
      pinning = holders.get(address);
    }
    Runnable action = afterLook;
    if (action != null) {
      afterLook = null;
      action.run();
    }
    return pinning;
  }

  @Override
  public void forEachPinned(LongConsumer visitor) {
    List<Long> all;
    synchronized (holders) {
      all = List.copyOf(holders.keySet());
    }
    all.forEach(visitor::accept);
  }
}
