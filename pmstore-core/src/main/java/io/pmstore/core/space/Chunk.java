package io.pmstore.core.space;

import io.pmstore.core.memory.HeapMemory;

/**
 * What memory knows of one chunk of slots: which are used or reserved, and who gives them out.
 * Guarded by its own monitor, never held for longer than a few instructions.
 */
public final class Chunk {
  /** Who gives out a chunk's slots. */
  private enum State {
    /** Nobody: there was none left, or nobody has looked. */
    UNLISTED,
    /** Nobody, but it is on the allocator's list of those that can. */
    LISTED,
    /** The threads of a stripe. */
    CURRENT,
    /** Nobody any more: it is to become a free chunk. It may still be on the list. */
    RETIRED
  }

  /** What follows from a slot that has become free. */
  enum Released {
    /** Nothing. */
    NOTHING,
    /** The chunk has to be put on the list. */
    TO_BE_LISTED,
    /** The chunk, which is on the list, has become empty. */
    EMPTY
  }

  final long address;
  final int sizeClass;

  private final long[] taken;
  private int free;
  private State state = State.UNLISTED;
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

  /** A chunk that no commit has used yet, for a stripe. */
  static Chunk fresh(long address, int sizeClass) {
    Chunk chunk = new Chunk(address, sizeClass, false);
    chunk.state = State.CURRENT;
    return chunk;
  }

  /** A chunk of the store, with the slots that its bitmap says are used; not listed. */
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
   * Reserves a slot for the chunk's stripe; returns its address, or 0 when there is none and the
   * chunk is nobody's any more.
   */
  synchronized long reserve() {
    long slotAddress = tryReserve();
    if (slotAddress == 0) {
      state = State.UNLISTED;
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

  /** Makes a slot free that was reserved, or used; says what the allocator has to do. */
  synchronized Released release(long slotAddress) {
    int slot = slot(slotAddress);
    taken[slot >>> 6] &= ~(1L << (slot & 63));
    free++;
    if (state == State.UNLISTED) {
      state = State.LISTED;
      return Released.TO_BE_LISTED;
    }
    return isEmpty() && state == State.LISTED ? Released.EMPTY : Released.NOTHING;
  }

  /** Gives a chunk that is not listed to a stripe, if it has a free slot; says if it has. */
  synchronized boolean takeUnlisted() {
    return free > 0 && move(State.UNLISTED, State.CURRENT);
  }

  /** Gives a chunk from the list to a stripe; false if it is on the list by mistake. */
  synchronized boolean takeListed() {
    return move(State.LISTED, State.CURRENT);
  }

  /** Takes the chunk from its stripe, to be put on the list; says whether it is empty. */
  synchronized boolean giveBack() {
    state = State.LISTED;
    return isEmpty();
  }

  /**
   * Takes a listed chunk out of use, if no slot is used or reserved: none can be reserved any more.
   * Returns true if that was so.
   */
  synchronized boolean retire() {
    if (!isEmpty() || !move(State.LISTED, State.RETIRED)) {
      return false;
    }
    free = 0;
    return true;
  }

  /** Undoes {@link #retire}; the chunk is to be put on the list. */
  synchronized void unretire() {
    state = State.LISTED;
    free = SizeClasses.slots(sizeClass);
  }

  private boolean move(State from, State to) {
    if (state != from) {
      return false;
    }
    state = to;
    return true;
  }

  private boolean isEmpty() {
    return free == SizeClasses.slots(sizeClass);
  }

  /** Whether a commit has written the chunk's descriptor. */
  boolean isDescribed() {
    return described;
  }

  void setDescribed() {
    described = true;
  }

  private int slot(long slotAddress) {
    return ExtentLayout.slot(slotAddress, sizeClass);
  }
}
