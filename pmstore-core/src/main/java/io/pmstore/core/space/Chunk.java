package io.pmstore.core.space;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;

/**
 * A chunk of slots: which slots are used or reserved, and who allocates from it. Guarded by its own
 * monitor, which is held for a few instructions only.
 */
public final class Chunk {
  /** Which stripe, if any, allocates a chunk's slots. */
  private enum State {
    /** No stripe: the chunk is full, or was never examined. */
    UNLISTED,
    /** No stripe yet: the chunk is on the allocator's list of chunks with free slots. */
    LISTED,
    /** The threads of a stripe. */
    CURRENT,
    /** Nobody: the chunk is about to become free. It may still be on the list. */
    RETIRED
  }

  /** What the allocator does after a slot was released. */
  enum Released {
    NOTHING,
    /** Puts the chunk on the list. */
    TO_BE_LISTED,
    /** Puts the chunk on the list, and notes that it is empty: it has a single slot. */
    TO_BE_LISTED_EMPTY,
    /** Notes that the chunk, which is on the list, is empty. */
    EMPTY
  }

  private static final byte[] EMPTY_BITMAP = new byte[ExtentLayout.SLOTS_OFFSET];

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

  /** Creates a chunk that no commit has used yet, owned by a stripe. */
  static Chunk fresh(long address, int sizeClass) {
    Chunk chunk = new Chunk(address, sizeClass, false);
    chunk.state = State.CURRENT;
    return chunk;
  }

  /** Commits an empty bitmap if the present one is not empty. No commit has used the chunk yet. */
  void clearBitmap(Engine engine) {
    for (int at = 0; at < ExtentLayout.SLOTS_OFFSET; at += 8) {
      if (engine.memory().getLong(address + at) != 0) {
        WriteSet writes = new WriteSet();
        writes.put(address, EMPTY_BITMAP, 0, EMPTY_BITMAP.length);
        engine.commit(writes);
        return;
      }
    }
  }

  /** Reads a chunk of the store with its bitmap; it starts {@link State#UNLISTED}. */
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
   * Reserves a slot for the owning stripe and returns its address. Returns 0 if the chunk is full;
   * no stripe owns it then.
   */
  synchronized long reserve() {
    long slotAddress = tryReserve();
    if (slotAddress == 0) {
      state = State.UNLISTED;
    }
    return slotAddress;
  }

  /** Reserves a slot and returns its address, or 0 if the chunk is full. Any thread may try. */
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

  /** Releases a reserved or used slot; returns what the allocator must do. */
  synchronized Released release(long slotAddress) {
    int slot = slot(slotAddress);
    taken[slot >>> 6] &= ~(1L << (slot & 63));
    free++;
    if (state == State.UNLISTED) {
      state = State.LISTED;
      return isEmpty() ? Released.TO_BE_LISTED_EMPTY : Released.TO_BE_LISTED;
    }
    return isEmpty() && state == State.LISTED ? Released.EMPTY : Released.NOTHING;
  }

  /** Gives an unlisted chunk to a stripe. Returns false if it is full or not unlisted. */
  synchronized boolean takeUnlisted() {
    return free > 0 && move(State.UNLISTED, State.CURRENT);
  }

  /** Gives a listed chunk to a stripe. Returns false if it is no longer listed. */
  synchronized boolean takeListed() {
    return move(State.LISTED, State.CURRENT);
  }

  /** Takes the chunk from its stripe; the caller lists it. Returns true if it is empty. */
  synchronized boolean giveBack() {
    state = State.LISTED;
    return isEmpty();
  }

  /**
   * Retires the chunk if it is listed and no slot is used or reserved: none can be reserved any
   * more. Returns true if it did.
   */
  synchronized boolean retire() {
    if (!isEmpty() || !move(State.LISTED, State.RETIRED)) {
      return false;
    }
    free = 0;
    return true;
  }

  /** Undoes {@link #retire}; the caller lists the chunk. */
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

  /** Returns true if a commit has written the chunk's descriptor. */
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
