package io.pmstore.tiered;

import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * The state of a pool's slots, in memory: which block's image each slot holds, and which slots are
 * free.
 *
 * <p>A slot whose image has been superseded is not free at once. The older image must stay until no
 * recovery can need it: until the commit that superseded it is durable, and another durable image
 * says so. Otherwise recovery could not distinguish an incomplete commit from a commit whose images
 * were overwritten later.
 *
 * <p>Guarded by the lock of {@link CommitPath}, but for {@link #write} and what says otherwise.
 */
final class Pool {
  private static final int WORD = 6; // binary logarithm of the slots in a word of bits

  private final int number;
  private final MediumFile file;
  private final int capacity;
  private final int[] blocks; // of each used slot, unsigned
  private int used; // slots from here on were never used in this epoch
  private final long[] taken; // bits of slots: their image counts, or still waits
  private int takenCount;
  private int next; // where the search for a free slot begins
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
    this.taken = new long[(capacity + Long.SIZE - 1) / Long.SIZE];
    this.epoch = epoch;
    freeAll();
  }

  int number() {
    return number;
  }

  MediumFile file() {
    return file;
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

  /**
   * Returns true if a slot is one of this epoch, and of this block. Without the lock a false answer
   * may be stale; a true one is right, because a slot is used once its block is there.
   */
  boolean holds(int slot, long block) {
    boolean isUsed = slot < used;
    VarHandle.acquireFence();
    return isUsed && block(slot) == block;
  }

  /** Returns true if there are slots for so many images, without those that still wait. */
  boolean hasRoom(int images) {
    return images <= capacity - takenCount;
  }

  /**
   * Frees superseded slots. Durable images say that all commits up to {@code evidence} are durable.
   */
  void release(long evidence) {
    while (waitingCount > 0 && isDispensable(waitingFor[waitingStart], evidence)) {
      int slot = waiting[waitingStart];
      taken[slot >>> WORD] &= ~(1L << slot);
      takenCount--;
      waitingStart = (waitingStart + 1) % waiting.length;
      waitingCount--;
    }
  }

  /** Returns true if no recovery needs an image that a commit has superseded. */
  private static boolean isDispensable(long supersededBy, long evidence) {
    return supersededBy <= evidence;
  }

  private void freeAll() {
    Arrays.fill(taken, 0);
    if (capacity % Long.SIZE > 0) {
      taken[taken.length - 1] = -1L << capacity; // there are no such slots
    }
    takenCount = 0;
    next = 0;
  }

  /** Takes a slot for a block; there is room. */
  int take(long block, long position) {
    int slot = nextFree();
    taken[slot >>> WORD] |= 1L << slot;
    takenCount++;
    next = slot + 1;
    blocks[slot] = (int) block;
    VarHandle.releaseFence(); // for holds
    used = Math.max(used, next);
    if (firstPlaced == Long.MAX_VALUE) {
      firstPlaced = position;
    }
    lastPlaced = position;
    return slot;
  }

  /**
   * Returns the first free slot from where the last one was on, so that a commit's images mostly
   * follow each other in the file, and those of commits too.
   */
  private int nextFree() {
    if (next == used && takenCount < used / 2) {
      next = 0; // many are free behind: what is changed often stays in few places
    }
    int word = next >>> WORD;
    long free = word == taken.length ? 0 : ~taken[word] & (-1L << next);
    while (free == 0) {
      word = word + 1 < taken.length ? word + 1 : 0;
      free = ~taken[word];
    }
    return (word << WORD) + Long.numberOfTrailingZeros(free);
  }

  /** Takes the memory that so many calls of {@link #superseded} need. */
  void reserveSuperseded(int more) {
    int needed = waitingCount + more; // at most one for each slot
    if (needed <= waiting.length) {
      return;
    }
    int length = Math.max(needed, 2 * waiting.length);
    int[] slots = new int[length];
    long[] positions = new long[length];
    for (int i = 0; i < waitingCount; i++) {
      slots[i] = waiting[(waitingStart + i) % waiting.length];
      positions[i] = waitingFor[(waitingStart + i) % waiting.length];
    }
    waiting = slots;
    waitingFor = positions;
    waitingStart = 0;
  }

  /** Notes that a slot's image has been superseded by that of a commit. */
  void superseded(int slot, long position) {
    int at = (waitingStart + waitingCount++) % waiting.length;
    waiting[at] = slot;
    waitingFor[at] = position;
  }

  /**
   * Sets what recovery found.
   *
   * @param found returns the block whose newest image a slot has, or -1
   */
  void recovered(int count, IntToLongFunction found, long position) {
    freeAll();
    used = count;
    next = count;
    firstPlaced = count == 0 ? Long.MAX_VALUE : 0;
    for (int slot = 0; slot < count; slot++) {
      long block = found.applyAsLong(slot);
      blocks[slot] = (int) block;
      if (block >= 0) {
        taken[slot >>> WORD] |= 1L << slot;
        takenCount++;
      }
    }
    lastPlaced = position;
  }

  /** Empties the pool: the header says durably that its epoch has ended. */
  void clear() {
    epoch++;
    used = 0;
    firstPlaced = Long.MAX_VALUE;
    freeAll();
    waitingCount = 0;
  }

  /**
   * Writes images to slots.
   *
   * @param offsets where each part goes in the file
   * @param lengths of the parts, which follow each other in the source
   * @param parts how many there are
   * @param relaxed true if no thread waits until they are durable
   */
  void write(long[] offsets, int[] lengths, int parts, byte[] source, boolean relaxed)
      throws IOException {
    for (int i = 0, at = 0; i < parts; at += lengths[i++]) {
      if (relaxed) {
        file.writeRelaxed(offsets[i], source, at, lengths[i]);
      } else {
        file.write(offsets[i], source, at, lengths[i]);
      }
    }
  }
}
