package io.pmstore.tiered;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.util.Arrays;

/**
 * The slots of a pool, in memory: which block's image each holds, and which are free.
 *
 * <p>A slot whose image has been superseded is not free at once. The older image must stay until no
 * recovery can need it: until the commit that superseded it is durable, and another durable image
 * says so. Otherwise recovery could not tell a commit that is not whole from one whose images were
 * overwritten since.
 *
 * <p>Guarded by the lock of {@link CommitPath}, but for {@link #write} and what says otherwise.
 */
final class Pool {
  private final int number;
  private final MediumFile file;
  private final int capacity;
  private final int[] blocks; // of each used slot, unsigned
  private int used; // slots from here on were never used in this epoch
  private int[] free = new int[64];
  private int freeCount;
  // Superseded slots, and the positions of the commits that superseded them: a ring.
  private int[] waiting = new int[64];
  private long[] waitingFor = new long[64];
  private int waitingStart;
  private int waitingCount;
  private long epoch;
  private long firstPlaced; // in this epoch; 0 if that is not known
  private volatile long lastPlaced;

  Pool(int number, MediumFile file, int capacity, long epoch) {
    this.number = number;
    this.file = file;
    this.capacity = capacity;
    this.blocks = new int[capacity];
    this.epoch = epoch;
  }

  int number() {
    return number;
  }

  MediumFile file() {
    return file;
  }

  int capacity() {
    return capacity;
  }

  long epoch() {
    return epoch;
  }

  /** Returns the position of the last commit that has slots here. Any thread may ask. */
  long lastPlaced() {
    return lastPlaced;
  }

  /** Returns a position that no image of this epoch is before. */
  long firstPlaced() {
    return firstPlaced;
  }

  boolean isEmpty() {
    return used == 0;
  }

  /** Returns how many slots were used in this epoch. */
  int used() {
    return used;
  }

  /** Returns the block of a used slot. */
  long block(int slot) {
    return Integer.toUnsignedLong(blocks[slot]);
  }

  /** Returns true if a slot is one of this epoch, and of this block. */
  boolean holds(int slot, long block) {
    return slot < used && block(slot) == block;
  }

  /** Returns true if there are slots for so many images, without those that still wait. */
  boolean hasRoom(int images) {
    return images <= freeCount + capacity - used;
  }

  /**
   * Frees superseded slots. Durable images say that all commits up to {@code evidence} are durable.
   */
  void release(long evidence) {
    while (waitingCount > 0 && waitingFor[waitingStart] <= evidence) {
      addFree(waiting[waitingStart]);
      waitingStart = (waitingStart + 1) % waiting.length;
      waitingCount--;
    }
  }

  private void addFree(int slot) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = slot;
  }

  /** Takes a slot for a block; there is room. */
  int take(long block, long position) {
    int slot = freeCount > 0 ? free[--freeCount] : used++;
    blocks[slot] = (int) block;
    if (firstPlaced == Long.MAX_VALUE) {
      firstPlaced = position;
    }
    lastPlaced = position;
    return slot;
  }

  /** Notes that a slot's image has been superseded by that of a commit. */
  void superseded(int slot, long position) {
    if (waitingCount == waiting.length) {
      int[] slots = new int[2 * waitingCount];
      long[] positions = new long[2 * waitingCount];
      for (int i = 0; i < waitingCount; i++) {
        slots[i] = waiting[(waitingStart + i) % waitingCount];
        positions[i] = waitingFor[(waitingStart + i) % waitingCount];
      }
      waiting = slots;
      waitingFor = positions;
      waitingStart = 0;
    }
    int at = (waitingStart + waitingCount++) % waiting.length;
    waiting[at] = slot;
    waitingFor[at] = position;
  }

  /** Sets what recovery found: blocks of slots, with -1 for one that is free. */
  void recovered(int count, BlockOf found, long position) {
    used = count;
    firstPlaced = count == 0 ? Long.MAX_VALUE : 0;
    for (int slot = 0; slot < count; slot++) {
      long block = found.block(slot);
      blocks[slot] = (int) block;
      if (block < 0) {
        addFree(slot);
      }
    }
    lastPlaced = position;
  }

  /** Returns the block whose newest image a slot has, or -1. */
  @FunctionalInterface
  interface BlockOf {
    long block(int slot);
  }

  /** Empties the pool: the header says durably that its epoch has ended. */
  void clear() {
    epoch++;
    used = 0;
    firstPlaced = Long.MAX_VALUE;
    freeCount = 0;
    waitingCount = 0;
  }

  /**
   * Writes images to slots that follow each other.
   *
   * @param relaxed true if no thread waits until they are durable
   */
  void write(int slot, byte[] source, int at, int images, boolean relaxed) throws IOException {
    int length = images * ImageLayout.SLOT;
    if (relaxed) {
      file.writeRelaxed(PoolLayout.offset(slot), source, at, length);
    } else {
      file.write(PoolLayout.offset(slot), source, at, length);
    }
  }
}
