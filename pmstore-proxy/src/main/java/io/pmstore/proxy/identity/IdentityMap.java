package io.pmstore.proxy.identity;

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
   * @return its Java object, or null if there is none (any more)
   */
  public @Nullable Object get(long address) {
    long hash = hash(address);
    return stripe(hash).get(address, (int) hash);
  }

  /**
   * Adds an object unless its address has one.
   *
   * @param address of an object in the heap
   * @param object what stands for it
   * @return the object that stands for it now
   */
  public Object putIfAbsent(long address, Object object) {
    long hash = hash(address);
    return stripe(hash).put(address, (int) hash, object, false);
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
    stripe(hash).put(address, (int) hash, object, true);
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
