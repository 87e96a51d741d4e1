package io.pmstore.proxy.identity;

import io.pmstore.core.space.ExtentLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the objects of one chunk of the heap: a leaf for each KiB that has Java objects,
 * with a place for each 16 bytes, the size of the smallest object. So no place has two objects.
 *
 * <p>Any thread may read. One at a time may write.
 */
final class IdentityChunk {
  private static final VarHandle LEAF =
      MethodHandles.arrayElementVarHandle(IdentityEntry[][].class);
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(IdentityEntry[].class);

  private static final int LEAF_SHIFT = 10;
  private static final int PLACE_SHIFT = 4;
  private static final int LEAVES = 1 << (ExtentLayout.CHUNK_SHIFT - LEAF_SHIFT);
  private static final int PLACES = 1 << (LEAF_SHIFT - PLACE_SHIFT); // of a leaf

  private final @Nullable IdentityEntry[] @Nullable [] leaves = new IdentityEntry[LEAVES][];

  private static int leafNumber(long address) {
    return (int) (address >>> LEAF_SHIFT) & (LEAVES - 1);
  }

  private static int place(long address) {
    return (int) (address >>> PLACE_SHIFT) & (PLACES - 1);
  }

  private @Nullable IdentityEntry @Nullable [] leaf(int number) {
    return (@Nullable IdentityEntry[]) LEAF.getAcquire(leaves, number);
  }

  /** Returns the entry of an address of this chunk, or null. Any number is accepted. */
  @Nullable IdentityEntry entry(long address) {
    @Nullable IdentityEntry[] leaf = leaf(leafNumber(address));
    IdentityEntry entry =
        leaf == null ? null : (IdentityEntry) ENTRY.getAcquire(leaf, place(address));
    return entry != null && entry.isOf(address) ? entry : null;
  }

  /** Sets the entry of an address of this chunk. */
  void set(long address, IdentityEntry entry) {
    @Nullable IdentityEntry[] leaf = leaf(leafNumber(address));
    if (leaf == null) {
      leaf = new IdentityEntry[PLACES];
      LEAF.setRelease(leaves, leafNumber(address), leaf);
    }
    ENTRY.setRelease(leaf, place(address), entry);
  }

  /**
   * Drops the entries of objects that were collected, and the leaves that have no others. Returns
   * the number of the others.
   */
  int sweep() {
    int all = 0;
    for (int number = 0; number < LEAVES; number++) {
      @Nullable IdentityEntry[] leaf = leaf(number);
      if (leaf != null) {
        int living = sweep(leaf);
        if (living == 0) {
          LEAF.setRelease(leaves, number, null);
        }
        all += living;
      }
    }
    return all;
  }

  private static int sweep(@Nullable IdentityEntry[] leaf) {
    int living = 0;
    for (int place = 0; place < PLACES; place++) {
      IdentityEntry entry = leaf[place];
      if (entry != null && entry.isDead()) {
        ENTRY.setRelease(leaf, place, null);
      } else if (entry != null) {
        living++;
      }
    }
    return living;
  }

  /**
   * Adds the addresses of living objects to an array, from {@code count} on. Returns how many it
   * has then.
   *
   * @param start the chunk's address
   */
  int addresses(long start, long[] addresses, int count) {
    int filled = count;
    for (int number = 0; number < LEAVES; number++) {
      @Nullable IdentityEntry[] leaf = leaf(number);
      for (int place = 0; leaf != null && place < PLACES; place++) {
        IdentityEntry entry = leaf[place];
        if (entry != null && !entry.isDead()) {
          addresses[filled++] =
              entry.address(start + ((long) number << LEAF_SHIFT) + ((long) place << PLACE_SHIFT));
        }
      }
    }
    return filled;
  }

  /** For tests. */
  int capacity() {
    int capacity = 0;
    for (int number = 0; number < LEAVES; number++) {
      capacity += leaf(number) == null ? 0 : PLACES;
    }
    return capacity;
  }
}
