package io.pmstore.proxy.identity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * One part of the identity map: a hash table with open addressing and linear probing.
 *
 * <p>Writers hold the monitor. Readers hold nothing: within one table a slot goes from empty to an
 * entry, and from then on is never empty again, so a probe that meets an empty slot has seen every
 * entry with its hash that was there when it began. A table that is too full is replaced by a new
 * one with the entries that are still alive.
 */
final class IdentityStripe {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final int CAPACITY_MIN = 16;

  /**
   * An object and its address. A dead entry keeps its address, and its slot can be taken over for
   * the same one.
   */
  private static final class Entry extends WeakReference<Object> {
    private final long address;
    private final int hash;

    Entry(long address, int hash, Object object, ReferenceQueue<Object> queue) {
      super(object, queue);
      this.address = address;
      this.hash = hash;
    }
  }

  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  private volatile @Nullable Entry[] table = new Entry[CAPACITY_MIN];
  private int used; // slots that are not empty, dead ones included
  private int dead; // an estimate of those that are

  @Nullable Object get(long address, int hash) {
    @Nullable Entry[] slots = table;
    int mask = slots.length - 1;
    for (int i = hash & mask; ; i = (i + 1) & mask) {
      Entry entry = (Entry) SLOT.getAcquire(slots, i);
      if (entry == null) {
        return null;
      }
      if (entry.address == address) {
        return entry.get();
      }
    }
  }

  synchronized Object put(long address, int hash, Object object, boolean replace) {
    countDead();
    if (used * 4 >= table.length * 3) {
      rebuild();
    }
    @Nullable Entry[] slots = table;
    int mask = slots.length - 1;
    int i = hash & mask;
    Entry entry = slots[i];
    while (entry != null && entry.address != address) {
      i = (i + 1) & mask;
      entry = slots[i];
    }
    if (entry == null) {
      used++;
    } else {
      Object known = entry.get();
      if (known != null && !replace) {
        return known;
      }
    }
    SLOT.setRelease(slots, i, new Entry(address, hash, object, queue));
    return object;
  }

  synchronized void remove(long address, int hash, Object object) {
    @Nullable Entry[] slots = table;
    int mask = slots.length - 1;
    for (int i = hash & mask; ; i = (i + 1) & mask) {
      Entry entry = slots[i];
      if (entry == null) {
        return;
      }
      if (entry.address == address) {
        if (entry.refersTo(object)) {
          entry.clear();
          dead++;
        }
        return;
      }
    }
  }

  synchronized void clear() {
    table = new Entry[CAPACITY_MIN];
    used = 0;
    dead = 0;
  }

  private void countDead() {
    for (Reference<?> entry = queue.poll(); entry != null; entry = queue.poll()) {
      dead++;
    }
  }

  private void rebuild() {
    @Nullable Entry[] old = table;
    int alive = Math.max(0, used - dead);
    int capacity = CAPACITY_MIN;
    while (alive * 2 >= capacity) {
      capacity *= 2;
    }
    @Nullable Entry[] slots = new Entry[capacity];
    int mask = capacity - 1;
    int count = 0;
    for (Entry entry : old) {
      if (entry != null && !entry.refersTo(null)) {
        if ((count + 1) * 4 > capacity * 3) {
          dead = 0; // fewer are dead than was thought
          rebuild();
          return;
        }
        int i = entry.hash & mask;
        while (slots[i] != null) {
          i = (i + 1) & mask;
        }
        slots[i] = entry;
        count++;
      }
    }
    used = count;
    dead = 0;
    table = slots;
  }
}
