package io.pmstore.proxy.identity;

import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Maps the addresses of one heap's objects to their Java objects, which it holds weakly.
 * Thread-safe. A look-up takes no lock and allocates nothing.
 *
 * <p>The map has the form of the heap: a table for each extent, with a leaf for each KiB that has
 * Java objects, with a place for each 16 bytes, the size of the smallest object. So objects that
 * were made together are together here too, and no place has two of them.
 *
 * <p>Writers hold the monitor of the stripe that an address's chunk belongs to. A stripe that has
 * got as many objects as it had living ones drops the entries and leaves of those that are no more.
 */
public final class IdentityMap {
  private static final VarHandle LEAF =
      MethodHandles.arrayElementVarHandle(IdentityEntry[][].class);
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(IdentityEntry[].class);

  private static final int STRIPES = 64;
  private static final int CHUNK_SHIFT = 14;
  private static final int LEAF_SHIFT = 10;
  private static final int PLACE_SHIFT = 4;
  private static final int LEAVES = 1 << (HeapMemory.EXTENT_SHIFT - LEAF_SHIFT); // of an extent
  private static final int CHUNK_LEAVES = 1 << (CHUNK_SHIFT - LEAF_SHIFT);
  private static final int PLACES = 1 << (LEAF_SHIFT - PLACE_SHIFT); // of a leaf
  private static final int ADDED_MIN = 256;
  private static final int ADDED_FOR_EXTENT = 32; // bounds what a sweep looks at for each object

  /** The leaves of an extent. */
  private static final class Extent {
    private final @Nullable IdentityEntry[] @Nullable [] leaves = new IdentityEntry[LEAVES][];

    @SuppressWarnings("unchecked")
    @Nullable IdentityEntry @Nullable [] leaf(int number) {
      return (@Nullable IdentityEntry[]) LEAF.getAcquire(leaves, number);
    }

    void set(int number, @Nullable IdentityEntry @Nullable [] leaf) {
      LEAF.setRelease(leaves, number, leaf);
    }
  }

  /** Guards the entries of each {@link #STRIPES}th chunk. */
  private static final class Stripe {
    private final int number;
    private int added; // since the last sweep
    private int addedMax = ADDED_MIN;

    Stripe(int number) {
      this.number = number;
    }

    int firstLeaf() {
      return number * CHUNK_LEAVES;
    }
  }

  private final Stripe[] stripes = new Stripe[STRIPES];
  private volatile @Nullable Extent[] extents = {};

  public IdentityMap() {
    Arrays.setAll(stripes, Stripe::new);
  }

  /**
   * Returns the object at an address; null if it has none, if it was collected, or if it is hidden.
   * Any number is accepted.
   */
  public @Nullable Object get(long address) {
    IdentityEntry entry = entry(address);
    return entry == null || entry.hidden ? null : entry.get();
  }

  /**
   * Returns the object at an address, hidden or not, or null. No object is added at this address
   * meanwhile. So a caller that first makes the admission of {@link #putIfAbsent} fail, and then
   * calls this method, misses no object.
   */
  public @Nullable Object held(long address) {
    synchronized (stripe(address)) {
      IdentityEntry entry = entry(address);
      return entry == null ? null : entry.get();
    }
  }

  /**
   * Adds an object unless its address has one. Returns the object that the address has now, or null
   * if {@code admission} refuses the address.
   *
   * @param admission runs while no other thread adds an object at this address or looks for it with
   *     {@link #held}; it must not wait
   */
  public @Nullable Object putIfAbsent(long address, Object object, LongPredicate admission) {
    return putIfAbsent(address, object, false, admission);
  }

  /**
   * Does as {@link #putIfAbsent}, but hides an added object from {@link #get} until {@link #show}.
   * The caller must keep the object alive.
   */
  public @Nullable Object putHidden(long address, Object object, LongPredicate admission) {
    return putIfAbsent(address, object, true, admission);
  }

  private @Nullable Object putIfAbsent(
      long address, Object object, boolean hidden, LongPredicate admission) {
    Stripe stripe = stripe(address);
    synchronized (stripe) {
      if (!admission.test(address)) {
        return null;
      }
      IdentityEntry entry = entry(address);
      Object known = entry == null ? null : entry.get();
      if (known != null) {
        return known;
      }
      set(stripe, address, new IdentityEntry(address, object, hidden));
      return object;
    }
  }

  /**
   * Makes a hidden object visible to {@link #get}. Does nothing if it is not the object of the
   * address.
   */
  public void show(long address, Object object) {
    synchronized (stripe(address)) {
      IdentityEntry entry = entry(address);
      if (entry != null && entry.refersTo(object)) {
        entry.hidden = false;
      }
    }
  }

  /**
   * Adds the object of an address that has just been allocated. It replaces the object of an
   * earlier allocation.
   */
  public void put(long address, Object object) {
    Stripe stripe = stripe(address);
    IdentityEntry entry = new IdentityEntry(address, object, false);
    synchronized (stripe) {
      set(stripe, address, entry);
    }
  }

  /** Removes an object, if its address still has it. */
  public void remove(long address, Object object) {
    synchronized (stripe(address)) {
      IdentityEntry entry = entry(address);
      if (entry != null && entry.refersTo(object)) {
        entry.clear();
      }
    }
  }

  /**
   * Passes the address of each live object, hidden or not, to {@code visitor}. It misses no object
   * that is in the map during the whole call; it may pass others too. It holds no lock while the
   * visitor runs.
   */
  public void forEach(LongConsumer visitor) {
    for (Stripe stripe : stripes) {
      for (long address : living(stripe)) {
        visitor.accept(address);
      }
    }
  }

  private long[] living(Stripe stripe) {
    synchronized (stripe) {
      long[] addresses = new long[sweep(stripe)];
      int count = 0;
      for (int extent = 0; extent < extents.length; extent++) {
        for (int leaf = stripe.firstLeaf(); leaf < LEAVES; leaf = nextLeaf(leaf)) {
          @Nullable IdentityEntry[] entries = leaf(extent, leaf);
          // Objects may have been collected since the sweep.
          for (int place = 0; entries != null && place < PLACES; place++) {
            IdentityEntry entry = entries[place];
            if (entry != null && !entry.isDead()) {
              long start = (long) extent << HeapMemory.EXTENT_SHIFT | (long) leaf << LEAF_SHIFT;
              addresses[count++] = entry.address(start | (long) place << PLACE_SHIFT);
            }
          }
        }
      }
      return Arrays.copyOf(addresses, count);
    }
  }

  /** Removes all objects. */
  public void clear() {
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        for (Extent extent : extents) {
          for (int leaf = stripe.firstLeaf(); leaf < LEAVES; leaf = nextLeaf(leaf)) {
            if (extent != null) {
              extent.set(leaf, null);
            }
          }
        }
      }
    }
  }

  /** For tests. */
  int capacity() {
    int capacity = 0;
    for (int extent = 0; extent < extents.length; extent++) {
      for (int leaf = 0; leaf < LEAVES; leaf++) {
        capacity += leaf(extent, leaf) == null ? 0 : PLACES;
      }
    }
    return capacity;
  }

  // ---- places

  private Stripe stripe(long address) {
    return stripes[(int) (address >>> CHUNK_SHIFT) & (STRIPES - 1)];
  }

  private static int leafNumber(long address) {
    return (int) (address >>> LEAF_SHIFT) & (LEAVES - 1);
  }

  private static int place(long address) {
    return (int) (address >>> PLACE_SHIFT) & (PLACES - 1);
  }

  /** Returns the next leaf of a stripe: that of its next chunk behind the last one of a chunk. */
  private static int nextLeaf(int leaf) {
    int next = leaf + 1;
    return next % CHUNK_LEAVES != 0 ? next : next + (STRIPES - 1) * CHUNK_LEAVES;
  }

  private @Nullable IdentityEntry @Nullable [] leaf(long extent, int number) {
    @Nullable Extent[] all = extents;
    Extent found = extent < all.length ? all[(int) extent] : null;
    return found == null ? null : found.leaf(number);
  }

  private @Nullable IdentityEntry entry(long address) {
    // The shift makes a negative address one that is beyond all extents.
    @Nullable IdentityEntry[] leaf = leaf(address >>> HeapMemory.EXTENT_SHIFT, leafNumber(address));
    IdentityEntry entry =
        leaf == null ? null : (IdentityEntry) ENTRY.getAcquire(leaf, place(address));
    return entry != null && entry.isOf(address) ? entry : null;
  }

  // ---- changes, under the monitor of the stripe

  private void set(Stripe stripe, long address, IdentityEntry entry) {
    if (stripe.added++ == stripe.addedMax) {
      sweep(stripe);
    }
    Extent extent = extent(address >>> HeapMemory.EXTENT_SHIFT);
    @Nullable IdentityEntry[] leaf = extent.leaf(leafNumber(address));
    if (leaf == null) {
      leaf = new IdentityEntry[PLACES];
      extent.set(leafNumber(address), leaf);
    }
    ENTRY.setRelease(leaf, place(address), entry);
  }

  private Extent extent(long number) {
    @Nullable Extent[] all = extents;
    Extent known = number < all.length ? all[(int) number] : null;
    return known != null ? known : newExtent(number);
  }

  private synchronized Extent newExtent(long number) {
    if (number >= HeapMemory.EXTENTS_MAX) {
      throw new IllegalArgumentException("no heap has an extent " + number);
    }
    int index = (int) number;
    @Nullable Extent[] all = extents;
    Extent known = index < all.length ? all[index] : null;
    if (known == null) {
      @Nullable Extent[] more = Arrays.copyOf(all, Math.max(all.length, index + 1));
      known = new Extent();
      more[index] = known;
      extents = more;
    }
    return known;
  }

  /**
   * Drops the entries of objects that were collected, and the leaves that have no others. Returns
   * the number of the others.
   */
  private int sweep(Stripe stripe) {
    int living = 0;
    @Nullable Extent[] all = extents;
    for (Extent extent : all) {
      for (int leaf = stripe.firstLeaf(); extent != null && leaf < LEAVES; leaf = nextLeaf(leaf)) {
        @Nullable IdentityEntry[] entries = extent.leaf(leaf);
        int count = entries == null ? 0 : sweep(entries);
        if (entries != null && count == 0) {
          extent.set(leaf, null);
        }
        living += count;
      }
    }
    stripe.added = 0;
    stripe.addedMax = Math.max(living, Math.max(ADDED_MIN, ADDED_FOR_EXTENT * all.length));
    return living;
  }

  private static int sweep(@Nullable IdentityEntry[] entries) {
    int living = 0;
    for (int place = 0; place < PLACES; place++) {
      IdentityEntry entry = entries[place];
      if (entry != null && entry.isDead()) {
        ENTRY.setRelease(entries, place, null);
      } else if (entry != null) {
        living++;
      }
    }
    return living;
  }
}
