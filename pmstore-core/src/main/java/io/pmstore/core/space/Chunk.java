package io.pmstore.core.space;

import io.pmstore.core.memory.HeapMemory;

/**
 * What memory knows of one chunk of slots: which are used or reserved. Guarded by its own monitor,
 * never held for longer than a few instructions.
 */
final class Chunk {
  final long address;
  final int sizeClass;

  private final long[] taken;
  private int free;
  private boolean owned = true;
  private volatile boolean described;

  private Chunk(long address, int sizeClass, boolean described) {
    this.address = address;
    this.sizeClass = sizeClass;
    this.described = described;
    int slots = SizeClasses.slots(sizeClass);
    this.taken = new long[(slots + 63) >>> 6];
    if ((slots & 63) != 0) {
      taken[taken.length - 1] = -1L << (slots & 63); // bits beyond the last slot are never free
    }
    this.free = slots;
  }

  /** A chunk that no commit has used yet. */
  static Chunk fresh(long address, int sizeClass) {
    return new Chunk(address, sizeClass, false);
  }

  /** A chunk of the store, with the slots that its bitmap says are used. */
  static Chunk load(long address, int sizeClass, HeapMemory memory) {
    Chunk chunk = new Chunk(address, sizeClass, true);
    for (int i = 0; i < chunk.taken.length; i++) {
      long bits = memory.getLong(address + ((long) i << 3));
      chunk.free -= Long.bitCount(bits);
      chunk.taken[i] |= bits;
    }
    return chunk;
  }

  /**
   * Reserves a slot; returns its address, or 0 when there is none and the chunk has no owner any
   * more.
   */
  synchronized long reserve() {
    long slotAddress = tryReserve();
    if (slotAddress == 0) {
      owned = false;
    }
    return slotAddress;
  }

  /** Reserves a slot; returns its address, or 0 when there is none. Anyone may try. */
  synchronized long tryReserve() {
    if (free > 0) {
      for (int i = 0; i < taken.length; i++) {
        if (taken[i] != -1L) {
          int bit = Long.numberOfTrailingZeros(~taken[i]);
          taken[i] |= 1L << bit;
          free--;
          int slot = (i << 6) + bit;
          return address + ExtentLayout.SLOTS_OFFSET + (long) slot * SizeClasses.size(sizeClass);
        }
      }
    }
    return 0;
  }

  /**
   * Gives a reserved slot back. Returns true if the chunk has no owner and has just got its first
   * free slot.
   */
  synchronized boolean release(long slotAddress) {
    int slot = slot(slotAddress);
    taken[slot >>> 6] &= ~(1L << (slot & 63));
    free++;
    if (!owned) {
      owned = true;
      return true;
    }
    return false;
  }

  synchronized int free() {
    return free;
  }

  /** Whether a commit has written the chunk's descriptor. */
  boolean isDescribed() {
    return described;
  }

  void setDescribed() {
    described = true;
  }

  /** The address of the bitmap word of a slot. */
  long bitmapAddress(long slotAddress) {
    return address + ((long) (slot(slotAddress) >>> 6) << 3);
  }

  /** The bit of a slot in its bitmap word. */
  long bitmapBit(long slotAddress) {
    return 1L << (slot(slotAddress) & 63);
  }

  private int slot(long slotAddress) {
    return (int) (slotAddress - address - ExtentLayout.SLOTS_OFFSET) / SizeClasses.size(sizeClass);
  }
}
