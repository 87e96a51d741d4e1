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
 * address, and from then on keeps it, so a probe that meets an empty slot has seen every address
 * with its hash that was there when it began. A table that is too full is replaced by a new one
 * with the addresses whose objects are still alive. Addresses stand beside each other, so that a
 * probe that passes others' does not look at their entries.
 */
final class IdentityStripe {
  private static final VarHandle ADDRESS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final int CAPACITY_MIN = 16;

  /** An object; dead when that is collected. A slot's entry is replaced, never taken away. */
  private static final class Entry extends WeakReference<Object> {
    private final int hash;

    Entry(int hash, Object object, ReferenceQueue<Object> queue) {
      super(object, queue);
      this.hash = hash;
    }
  }

  private static final class Table {
    private final long[] addresses; // 0: an empty slot
    private final @Nullable Entry[] entries;

    Table(int capacity) {
      addresses = new long[capacity];
      entries = new Entry[capacity];
    }

    int mask() {
      return addresses.length - 1;
    }

    /** The slot of an address; that of the first empty one behind its hash if it has none. */
    int slot(long address, int hash) {
      int i = hash & mask();
      while (true) {
        long there = (long) ADDRESS.getAcquire(addresses, i);
        if (there == address || there == 0) {
          return i;
        }
        i = (i + 1) & mask();
      }
    }

    @Nullable Object get(long address, int hash) {
      int i = slot(address, hash);
      // An address is there only when its entry is.
      Entry entry = (Entry) ENTRY.getAcquire(entries, i);
      return entry == null || addresses[i] != address ? null : entry.get();
    }

    boolean isEmpty(int slot) {
      return addresses[slot] == 0;
    }

    void set(int slot, long address, Entry entry) {
      ENTRY.setRelease(entries, slot, entry);
      ADDRESS.setRelease(addresses, slot, address);
    }
  }

  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  private volatile Table table = new Table(CAPACITY_MIN);
  private int used; // slots that are not empty, dead ones included
  private int dead; // an estimate of those that are

  @Nullable Object get(long address, int hash) {
    return table.get(address, hash);
  }

  synchronized Object put(long address, int hash, Object object, boolean replace) {
    countDead();
    if (used * 4 >= (table.mask() + 1) * 3) {
      rebuild();
    }
    Table t = table;
    int slot = t.slot(address, hash);
    if (t.isEmpty(slot)) {
      used++;
    } else if (!replace) {
      Object known = t.get(address, hash);
      if (known != null) {
        return known;
      }
    }
    t.set(slot, address, new Entry(hash, object, queue));
    return object;
  }

  synchronized void remove(long address, int hash, Object object) {
    Table t = table;
    Entry entry = t.entries[t.slot(address, hash)];
    if (entry != null && entry.refersTo(object)) {
      entry.clear();
      dead++;
    }
  }

  synchronized void clear() {
    table = new Table(CAPACITY_MIN);
    used = 0;
    dead = 0;
  }

  private void countDead() {
    for (Reference<?> entry = queue.poll(); entry != null; entry = queue.poll()) {
      dead++;
    }
  }

  private void rebuild() {
    Table old = table;
    int alive = Math.max(0, used - dead);
    int capacity = CAPACITY_MIN;
    while (alive * 2 >= capacity) {
      capacity *= 2;
    }
    Table made = new Table(capacity);
    int count = 0;
    for (int i = 0; i <= old.mask(); i++) {
      Entry entry = old.entries[i];
      if (entry != null && !entry.refersTo(null)) {
        if ((count + 1) * 4 > capacity * 3) {
          dead = 0; // fewer are dead than was thought
          rebuild();
          return;
        }
        long address = old.addresses[i];
        made.set(made.slot(address, entry.hash), address, entry);
        count++;
      }
    }
    used = count;
    dead = 0;
    table = made;
  }
}
