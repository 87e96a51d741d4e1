package io.pmstore.proxy.identity;

import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Maps the addresses of one heap's objects to their Java objects, which it holds weakly.
 * Thread-safe. A look-up takes no lock and allocates nothing.
 */
public final class IdentityMap {
  private static final int STRIPES = 64;
  private static final int BLOCK_SHIFT = 7;
  private static final long SLOTS_PER_BLOCK = 8;

  private final IdentityStripe[] stripes = new IdentityStripe[STRIPES];

  public IdentityMap() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new IdentityStripe();
    }
  }

  /**
   * Returns the object at an address; null if it has none, if it was collected, or if it is hidden.
   */
  public @Nullable Object get(long address) {
    long hash = hash(address);
    return stripe(hash).get(address, (int) hash);
  }

  /**
   * Returns the object at an address, hidden or not, or null. No object is added at this address
   * meanwhile. So a caller that first makes the admission of {@link #putIfAbsent} fail, and then
   * calls this method, misses no object.
   */
  public @Nullable Object held(long address) {
    long hash = hash(address);
    return stripe(hash).held(address, (int) hash);
  }

  /**
   * Adds an object unless its address has one. Returns the object that the address has now, or null
   * if {@code admission} refuses the address.
   *
   * @param admission runs while no other thread adds an object at this address or looks for it with
   *     {@link #held}; it must not wait
   */
  public @Nullable Object putIfAbsent(long address, Object object, LongPredicate admission) {
    long hash = hash(address);
    return stripe(hash).putIfAbsent(address, (int) hash, object, false, admission);
  }

  /**
   * Does as {@link #putIfAbsent}, but hides an added object from {@link #get} until {@link #show}.
   * The caller must keep the object alive.
   */
  public @Nullable Object putHidden(long address, Object object, LongPredicate admission) {
    long hash = hash(address);
    return stripe(hash).putIfAbsent(address, (int) hash, object, true, admission);
  }

  /**
   * Makes a hidden object visible to {@link #get}. Does nothing if it is not the object of the
   * address.
   */
  public void show(long address, Object object) {
    long hash = hash(address);
    stripe(hash).show(address, (int) hash, object);
  }

  /**
   * Adds the object of an address that has just been allocated. It replaces the object of an
   * earlier allocation.
   */
  public void put(long address, Object object) {
    long hash = hash(address);
    stripe(hash).put(address, (int) hash, object);
  }

  /** Removes an object, if its address still has it. */
  public void remove(long address, Object object) {
    long hash = hash(address);
    stripe(hash).remove(address, (int) hash, object);
  }

  /**
   * Passes the address of each live object, hidden or not, to {@code visitor}. It misses no object
   * that is in the map during the whole call; it may pass others too. It holds no lock while the
   * visitor runs.
   */
  public void forEach(LongConsumer visitor) {
    for (IdentityStripe stripe : stripes) {
      stripe.forEach(visitor);
    }
  }

  /** For tests. */
  int capacity() {
    int capacity = 0;
    for (IdentityStripe stripe : stripes) {
      capacity += stripe.capacity();
    }
    return capacity;
  }

  /** Removes all objects. */
  public void clear() {
    for (IdentityStripe stripe : stripes) {
      stripe.clear();
    }
  }

  private IdentityStripe stripe(long hash) {
    return stripes[(int) (hash >>> (Long.SIZE - 6))];
  }

  /**
   * Hashes blocks of 128 bytes, and keeps the objects of a block together: objects made one after
   * the other are often used together and then share a cache line here. The high bits choose the
   * stripe, the low bits the slot.
   */
  private static long hash(long address) {
    long h = (address >>> BLOCK_SHIFT) * 0x9E3779B97F4A7C15L;
    return ((h ^ (h >>> 32)) & -SLOTS_PER_BLOCK) | ((address >>> 4) & (SLOTS_PER_BLOCK - 1));
  }
}
