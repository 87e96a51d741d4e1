package io.pmstore.proxy.identity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One stripe of the identity map: a hash table with open addressing and linear probing.
 *
 * <p>Writers hold the monitor. Readers hold no lock. Within one table, a slot goes from empty to an
 * address and then keeps that address. So a probe that meets an empty slot has seen every address
 * with its hash that was there when it began. A table that is too full is replaced by a new one,
 * sized for the addresses whose objects are still alive. The addresses are an array of their own,
 * so that a probe does not read the entries of other addresses.
 */
final class IdentityStripe {
  private static final VarHandle ADDRESS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(Entry[].class);
  private static final int CAPACITY_MIN = 16;

  /** A weak reference to an object. A slot's entry may be replaced, but is never removed. */
  private static final class Entry extends WeakReference<Object> {
    private final int hash;
    private volatile boolean hidden;

    Entry(int hash, Object object, boolean hidden) {
      super(object);
      this.hash = hash;
      this.hidden = hidden;
    }

    boolean isDead() {
      return refersTo(null);
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

    /** Returns the slot of an address, or the first empty slot behind its hash if it has none. */
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

    @Nullable Entry entry(long address, int hash) {
      int i = slot(address, hash);
      // set() stores the entry before the address.
      Entry entry = (Entry) ENTRY.getAcquire(entries, i);
      return entry == null || addresses[i] != address ? null : entry;
    }

    boolean isEmpty(int slot) {
      return addresses[slot] == 0;
    }

    void set(int slot, long address, Entry entry) {
      ENTRY.setRelease(entries, slot, entry);
      ADDRESS.setRelease(addresses, slot, address);
    }
  }

  private volatile Table table = new Table(CAPACITY_MIN);
  private int used; // slots that are not empty; includes those of collected objects

  @Nullable Object get(long address, int hash) {
    Entry entry = table.entry(address, hash);
    return entry == null || entry.hidden ? null : entry.get();
  }

  synchronized @Nullable Object held(long address, int hash) {
    Entry entry = table.entry(address, hash);
    return entry == null ? null : entry.get();
  }

  synchronized @Nullable Object putIfAbsent(
      long address, int hash, Object object, boolean hidden, LongPredicate admission) {
    if (!admission.test(address)) {
      return null;
    }
    Object known = held(address, hash);
    if (known != null) {
      return known;
    }
    set(address, new Entry(hash, object, hidden));
    return object;
  }

  synchronized void put(long address, int hash, Object object) {
    set(address, new Entry(hash, object, false));
  }

  private void set(long address, Entry entry) {
    if (used * 4 >= (table.mask() + 1) * 3) {
      rebuild();
    }
    Table t = table;
    int slot = t.slot(address, entry.hash);
    if (t.isEmpty(slot)) {
      used++;
    }
    t.set(slot, address, entry);
  }

  synchronized void show(long address, int hash, Object object) {
    Entry entry = table.entry(address, hash);
    if (entry != null && entry.refersTo(object)) {
      entry.hidden = false;
    }
  }

  synchronized void remove(long address, int hash, Object object) {
    Entry entry = table.entry(address, hash);
    if (entry != null && entry.refersTo(object)) {
      entry.clear();
    }
  }

  synchronized void clear() {
    table = new Table(CAPACITY_MIN);
    used = 0;
  }

  void forEach(LongConsumer visitor) {
    for (long address : living()) {
      visitor.accept(address);
    }
  }

  private synchronized long[] living() {
    Table t = table;
    long[] addresses = new long[countLiving()];
    int count = 0;
    // Objects may have been collected since they were counted.
    for (int i = 0; i <= t.mask() && count < addresses.length; i++) {
      Entry entry = t.entries[i];
      if (entry != null && !entry.isDead()) {
        addresses[count++] = t.addresses[i];
      }
    }
    return Arrays.copyOf(addresses, count);
  }

  private int countLiving() {
    int count = 0;
    for (Entry entry : table.entries) {
      if (entry != null && !entry.isDead()) {
        count++;
      }
    }
    return count;
  }

  /** For tests. */
  synchronized int capacity() {
    return table.mask() + 1;
  }

  private void rebuild() {
    Table old = table;
    int living = countLiving();
    int capacity = CAPACITY_MIN;
    while (living * 2 >= capacity) {
      capacity *= 2;
    }
    Table made = new Table(capacity);
    int count = 0;
    for (int i = 0; i <= old.mask(); i++) {
      Entry entry = old.entries[i];
      if (entry != null && !entry.isDead()) {
        long address = old.addresses[i];
        made.set(made.slot(address, entry.hash), address, entry);
        count++;
      }
    }
    used = count;
    table = made;
  }
}
