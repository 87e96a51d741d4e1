package io.pmstore.gc.verify;

import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.SizeClasses;
import io.pmstore.gc.trace.MarkBits;

/**
 * The account of all bytes of a heap, made by reading its chunks after a walk. It is independent of
 * the walk's own counts, so that the two can be compared.
 */
final class Account {
  private final SpaceMap space;
  private final MarkBits marks;
  private final FaultLog faults;

  private long reachedObjects;
  private long reachedBytes;
  private long garbageObjects;
  private long garbageBytes;
  private long freeBytes;
  private long overheadBytes;

  private Account(SpaceMap space, MarkBits marks, FaultLog faults) {
    this.space = space;
    this.marks = marks;
    this.faults = faults;
  }

  static Account of(SpaceMap space, MarkBits marks, FaultLog faults) {
    Account account = new Account(space, marks, faults);
    for (int chunk = 0; chunk < space.chunkCount(); chunk++) {
      account.chunk(chunk);
    }
    return account;
  }

  private void chunk(int chunk) {
    int sizeClass = space.sizeClass(chunk);
    if (sizeClass >= 0) {
      slots(chunk, sizeClass);
    } else if (space.isRun(chunk)) {
      object(SpaceMap.startOf(chunk), space.runBytes(chunk));
    } else if (space.isFree(chunk)) {
      freeBytes += ExtentLayout.CHUNK_SIZE;
    } else if (!space.isRunInside(chunk)) {
      overheadBytes += ExtentLayout.CHUNK_SIZE;
    }
  }

  private void slots(int chunk, int sizeClass) {
    int slots = SizeClasses.slots(sizeClass);
    int size = SizeClasses.size(sizeClass);
    int allocated = 0;
    for (int word = 0; word << 3 < ExtentLayout.SLOTS_OFFSET; word++) {
      long bits = space.bitmapWord(chunk, word);
      int left = Math.clamp(slots - (word << 6), 0, 64);
      long valid = left == 64 ? -1L : (1L << left) - 1;
      if ((bits & ~valid) != 0) {
        faults.add(
            "bitmap of the chunk at heap address " + SpaceMap.startOf(chunk),
            "word %d is 0x%x".formatted(word, bits),
            "bits for " + slots + " slots only");
      }
      bits &= valid;
      allocated += Long.bitCount(bits);
      long first = SpaceMap.startOf(chunk) + ExtentLayout.SLOTS_OFFSET + ((long) word << 6) * size;
      for (; bits != 0; bits &= bits - 1) {
        object(first + (long) Long.numberOfTrailingZeros(bits) * size, size);
      }
    }
    freeBytes += (long) (slots - allocated) * size;
    overheadBytes += ExtentLayout.CHUNK_SIZE - (long) slots * size;
  }

  private void object(long address, int bytes) {
    if (marks.get(address)) {
      reachedObjects++;
      reachedBytes += bytes;
    } else {
      garbageObjects++;
      garbageBytes += bytes;
    }
  }

  long reachedObjects() {
    return reachedObjects;
  }

  long reachedBytes() {
    return reachedBytes;
  }

  long garbageObjects() {
    return garbageObjects;
  }

  long garbageBytes() {
    return garbageBytes;
  }

  long freeBytes() {
    return freeBytes;
  }

  long overheadBytes() {
    return overheadBytes;
  }
}
