package io.pmstore.proxy.identity;

import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The Java objects that stand for objects of one heap, by address, as long as anything else holds
 * them. Safe for use by any number of threads; a look-up takes no lock and allocates nothing.
 */
public final class IdentityMap {
  private static final int STRIPES = 64;
  private static final int BLOCK_SHIFT = 7;
  private static final long SLOTS_PER_BLOCK = 8;

  private final IdentityStripe[] stripes = new IdentityStripe[STRIPES];

  /** Creates an empty map. */
  public IdentityMap() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new IdentityStripe();
    }
  }

  /**
   * The object that stands for an address.
   *
   * @param address of an object in the heap
   * @return its Java object, or null if there is none (any more), or a hidden one
   */
  public @Nullable Object get(long address) {
    long hash = hash(address);
    return stripe(hash).get(address, (int) hash);
  }

  /**
   * The object that stands for an address, hidden or not. While this runs none is added at this
   * address; so who first keeps {@link #putIfAbsent}'s admission from being given, and asks then,
   * knows of every object.
   *
   * @param address of an object in the heap
   * @return its Java object, or null if there is none (any more)
   */
  public @Nullable Object held(long address) {
    long hash = hash(address);
    return stripe(hash).held(address, (int) hash);
  }

  /**
   * Adds an object unless its address has one.
   *
   * @param address of an object in the heap
   * @param object what stands for it
   * @param admission whether the address may have an object; asked while no other is added and none
   *     is looked for by {@link #held}; waits for nothing
   * @return the object that stands for it now; null if it may have none
   */
  public @Nullable Object putIfAbsent(long address, Object object, LongPredicate admission) {
    long hash = hash(address);
    return stripe(hash).putIfAbsent(address, (int) hash, object, false, admission);
  }

  /**
   * Adds an object unless its address has one, and hides it until {@link #show} is called.
   *
   * @param address of an object in the heap
   * @param object what stands for it; the caller keeps it alive
   * @param admission as for {@link #putIfAbsent}
   * @return the object that stands for it now; null if it may have none
   */
  public @Nullable Object putHidden(long address, Object object, LongPredicate admission) {
    long hash = hash(address);
    return stripe(hash).putIfAbsent(address, (int) hash, object, true, admission);
  }

  /**
   * Has an object found that was hidden.
   *
   * @param address of an object in the heap
   * @param object what stands for it
   */
  public void show(long address, Object object) {
    long hash = hash(address);
    stripe(hash).show(address, (int) hash, object);
  }

  /**
   * Adds the object of an address that has just been given out, in place of one that stood for what
   * was there before.
   *
   * @param address of an object in the heap
   * @param object what stands for it
   */
  public void put(long address, Object object) {
    long hash = hash(address);
    stripe(hash).put(address, (int) hash, object);
  }

  /**
   * Takes an object out, if it is the one that stands for an address.
   *
   * @param address of an object in the heap
   * @param object what stood for it
   */
  public void remove(long address, Object object) {
    long hash = hash(address);
    stripe(hash).remove(address, (int) hash, object);
  }

  /**
   * Shows the addresses that have an object, hidden or not: all that have one while this runs, and
   * perhaps others.
   *
   * @param visitor takes them; no lock is held meanwhile
   */
  public void forEach(LongConsumer visitor) {
    for (IdentityStripe stripe : stripes) {
      stripe.forEach(visitor);
    }
  }

  /** How many addresses there is room for, for tests. */
  int capacity() {
    int capacity = 0;
    for (IdentityStripe stripe : stripes) {
      capacity += stripe.capacity();
    }
    return capacity;
  }

  /** Takes all objects out. */
  public void clear() {
    for (IdentityStripe stripe : stripes) {
      stripe.clear();
    }
  }

  private IdentityStripe stripe(long hash) {
    return stripes[(int) (hash >>> (Long.SIZE - 6))];
  }

  /**
   * Spreads blocks of 128 bytes, and keeps the objects of a block together: those that were made
   * one after the other are often used so, and then share a cache line here. The high bits choose
   * the stripe, the low ones the slot.
   */
  private static long hash(long address) {
    long h = (address >>> BLOCK_SHIFT) * 0x9E3779B97F4A7C15L;
    return ((h ^ (h >>> 32)) & -SLOTS_PER_BLOCK) | ((address >>> 4) & (SLOTS_PER_BLOCK - 1));
  }
}
