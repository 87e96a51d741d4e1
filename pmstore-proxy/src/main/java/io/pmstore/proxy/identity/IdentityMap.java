package io.pmstore.proxy.identity;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Maps the addresses of one heap's objects to their Java objects, which it holds weakly.
 * Thread-safe. A look-up takes no lock and allocates nothing.
 *
 * <p>The map has the form of the heap: extents, and in these the chunks that have Java objects. So
 * objects that were made together are together here too.
 *
 * <p>Writers hold the monitor of the stripe that an address's chunk belongs to. When a stripe has
 * gained as many objects as it had living ones, it drops the entries of collected objects, once
 * Java's collector has run.
 */
public final class IdentityMap {
  private static final int STRIPES = 64;
  private static final int ADDED_MIN = 256;
  private static final int ADDED_FOR_EXTENT = 4; // bounds what a sweep looks at for each object

  /** Guards the chunks whose number has this remainder when it is divided by the stripes. */
  private static final class Stripe {
    private final int number;
    private int living; // at the last sweep
    private int added; // since the last sweep
    private int addedMax = ADDED_MIN;
    private int removed; // since the last sweep
    // Nothing else refers to the object, so it is gone after the next collection. Before that, only
    // removed entries have lost their objects.
    private WeakReference<Object> uncollected = new WeakReference<>(new Object());

    Stripe(int number) {
      this.number = number;
    }

    /** Counts an added object. Returns true if a sweep is due. */
    boolean add() {
      if (added++ < addedMax) {
        return false;
      }
      if (uncollected.refersTo(null) || removed > added / 2) {
        return true;
      }
      addedMax += ADDED_MIN;
      return false;
    }

    void swept(int living, int extents) {
      this.living = living;
      added = 0;
      removed = 0;
      addedMax = Math.max(living, Math.max(ADDED_MIN, ADDED_FOR_EXTENT * extents));
      uncollected = new WeakReference<>(new Object());
    }
  }

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable IdentityChunk>>
      extents = new AtomicReferenceArray<>(HeapMemory.EXTENTS_MAX);
  private volatile int extentsUsed; // the number of the last one + 1

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
  public @Nullable Object pinning(long address) {
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
   *     {@link #pinning}; it must not wait
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
    Stripe stripe = stripe(address);
    synchronized (stripe) {
      IdentityEntry entry = entry(address);
      if (entry != null && entry.refersTo(object)) {
        entry.clear();
        stripe.removed++;
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
      for (int i = 0; i < extentsUsed; i++) {
        for (int j = stripe.number; j < ExtentLayout.CHUNKS; j += STRIPES) {
          IdentityChunk chunk = chunk(i, j);
          if (chunk != null) {
            count = chunk.addresses(ExtentLayout.chunkAddress(i, j), addresses, count);
          }
        }
      }
      return Arrays.copyOf(addresses, count); // some may have been collected since the sweep
    }
  }

  /**
   * Returns about how many objects are in the map: those that were collected since the last sweep
   * of their stripe count too.
   */
  public long size() {
    long size = 0;
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        size += stripe.living + (long) stripe.added;
      }
    }
    return size;
  }

  /** Removes all objects. */
  public void clear() {
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        for (int i = 0; i < extentsUsed; i++) {
          for (int j = stripe.number; j < ExtentLayout.CHUNKS; j += STRIPES) {
            drop(i, j);
          }
        }
      }
    }
  }

  /** For tests. */
  int capacity() {
    int capacity = 0;
    for (int i = 0; i < extentsUsed; i++) {
      for (int j = 0; j < ExtentLayout.CHUNKS; j++) {
        IdentityChunk chunk = chunk(i, j);
        capacity += chunk == null ? 0 : chunk.capacity();
      }
    }
    return capacity;
  }

  private static int extentNumber(long address) {
    return (int) (address >>> HeapMemory.EXTENT_SHIFT);
  }

  private static int chunkNumber(long address) {
    return (int) (address >>> ExtentLayout.CHUNK_SHIFT) & (ExtentLayout.CHUNKS - 1);
  }

  private Stripe stripe(long address) {
    return stripes[chunkNumber(address) & (STRIPES - 1)];
  }

  private @Nullable IdentityChunk chunk(int extent, int number) {
    AtomicReferenceArray<@Nullable IdentityChunk> chunks = extents.getAcquire(extent);
    return chunks == null ? null : chunks.getAcquire(number);
  }

  private @Nullable IdentityEntry entry(long address) {
    if (address >>> HeapMemory.EXTENT_SHIFT >= HeapMemory.EXTENTS_MAX) {
      return null; // or negative
    }
    IdentityChunk chunk = chunk(extentNumber(address), chunkNumber(address));
    return chunk == null ? null : chunk.entry(address);
  }

  // ---- changes, under the monitor of the stripe

  private void set(Stripe stripe, long address, IdentityEntry entry) {
    if (stripe.add()) {
      sweep(stripe);
    }
    AtomicReferenceArray<@Nullable IdentityChunk> chunks = extent(extentNumber(address));
    IdentityChunk chunk = chunks.getAcquire(chunkNumber(address));
    if (chunk == null) {
      chunk = new IdentityChunk();
      chunks.setRelease(chunkNumber(address), chunk);
    }
    chunk.set(address, entry);
  }

  private AtomicReferenceArray<@Nullable IdentityChunk> extent(int number) {
    AtomicReferenceArray<@Nullable IdentityChunk> known = extents.getAcquire(number);
    return known != null ? known : newExtent(number);
  }

  private synchronized AtomicReferenceArray<@Nullable IdentityChunk> newExtent(int number) {
    AtomicReferenceArray<@Nullable IdentityChunk> made = extents.getAcquire(number);
    if (made == null) {
      made = new AtomicReferenceArray<>(ExtentLayout.CHUNKS);
      extents.setRelease(number, made);
      extentsUsed = Math.max(extentsUsed, number + 1);
    }
    return made;
  }

  /**
   * Drops the entries of objects that were collected, and the chunks that have no others. Returns
   * the number of the others.
   */
  private int sweep(Stripe stripe) {
    int all = 0;
    int used = extentsUsed;
    for (int i = 0; i < used; i++) {
      for (int j = stripe.number; j < ExtentLayout.CHUNKS; j += STRIPES) {
        IdentityChunk chunk = chunk(i, j);
        int living = chunk == null ? 0 : chunk.sweep();
        if (chunk != null && living == 0) {
          drop(i, j);
        }
        all += living;
      }
    }
    stripe.swept(all, used);
    return all;
  }

  private void drop(int extent, int number) {
    AtomicReferenceArray<@Nullable IdentityChunk> chunks = extents.getAcquire(extent);
    if (chunks != null) {
      chunks.setRelease(number, null);
    }
  }
}
