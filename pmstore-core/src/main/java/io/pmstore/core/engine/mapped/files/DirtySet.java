package io.pmstore.core.engine.mapped.files;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A dirty set: the units (pages or cache lines) of the heap that were changed, as a bitmap for each
 * extent that has any. Any number of threads may mark; the other methods see all marks made before
 * the call.
 */
public final class DirtySet {
  /** Receives a run of dirty units. */
  @FunctionalInterface
  public interface RunAction {
    void accept(long address, long length) throws IOException;
  }

  private static final VarHandle BITMAP = MethodHandles.arrayElementVarHandle(long[][].class);
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final int unitShift;
  private final int wordsPerExtent;
  private volatile long[][] bitmaps = new long[16][];
  private final AtomicLong units = new AtomicLong();

  /**
   * Creates an empty set.
   *
   * @param unit in bytes, a power of two
   */
  public DirtySet(int unit) {
    assert Integer.bitCount(unit) == 1 && unit <= HeapMemory.EXTENT_SIZE / Long.SIZE : unit;
    this.unitShift = Integer.numberOfTrailingZeros(unit);
    this.wordsPerExtent = (int) (HeapMemory.EXTENT_SIZE >>> unitShift >>> 6);
  }

  /** Marks the units of a range. */
  public void mark(long address, long length) {
    if (length == 0) {
      return;
    }
    long last = (address + length - 1) >>> unitShift;
    int added = 0;
    for (long unit = address >>> unitShift; unit <= last; unit++) {
      long[] bitmap = bitmap(extent(unit));
      int word = word(unit);
      long bit = 1L << unit;
      if (((long) WORD.getOpaque(bitmap, word) & bit) == 0
          && ((long) WORD.getAndBitwiseOr(bitmap, word, bit) & bit) == 0) {
        added++;
      }
    }
    if (added > 0) {
      units.addAndGet(added);
    }
  }

  /** Returns true if the unit at an address is dirty. */
  public boolean contains(long address) {
    long unit = address >>> unitShift;
    long[] bitmap = find(bitmaps, extent(unit));
    return bitmap != null && ((long) WORD.getOpaque(bitmap, word(unit)) & 1L << unit) != 0;
  }

  private int extent(long unit) {
    return (int) (unit >>> (HeapMemory.EXTENT_SHIFT - unitShift));
  }

  private int word(long unit) {
    return (int) (unit >>> 6) & (wordsPerExtent - 1);
  }

  private static long @Nullable [] find(long[][] bitmaps, int extent) {
    return extent < bitmaps.length ? (long[]) BITMAP.getAcquire(bitmaps, extent) : null;
  }

  private long[] bitmap(int extent) {
    long[] bitmap = find(bitmaps, extent);
    return bitmap != null ? bitmap : addBitmap(extent);
  }

  private synchronized long[] addBitmap(int extent) {
    if (extent >= bitmaps.length) {
      bitmaps = Arrays.copyOf(bitmaps, Integer.highestOneBit(extent) * 2);
    }
    long[] bitmap = find(bitmaps, extent);
    if (bitmap == null) {
      bitmap = new long[wordsPerExtent];
      BITMAP.setRelease(bitmaps, extent, bitmap);
    }
    return bitmap;
  }

  /** Returns the dirty bytes, in whole units. */
  public long bytes() {
    return units.get() << unitShift;
  }

  /**
   * Passes the runs of adjacent dirty units to an action, in ascending order. A run ends at the end
   * of its extent at the latest.
   */
  public void forEachRun(RunAction action) throws IOException {
    int unitsPerExtent = wordsPerExtent << 6;
    long[][] known = bitmaps;
    for (int extent = 0; extent < known.length; extent++) {
      long[] bitmap = find(known, extent);
      if (bitmap == null) {
        continue;
      }
      long base = (long) extent << HeapMemory.EXTENT_SHIFT;
      int from = next(bitmap, 0, true);
      while (from < unitsPerExtent) {
        int to = next(bitmap, from, false);
        action.accept(base + ((long) from << unitShift), (long) (to - from) << unitShift);
        from = next(bitmap, to, true);
      }
    }
  }

  /**
   * Returns the first unit, from a place on, that is set or not set as asked; the number of units
   * if there is none.
   */
  private static int next(long[] bitmap, int from, boolean set) {
    for (int word = from >>> 6; word < bitmap.length; word++) {
      long bits = set ? bitmap[word] : ~bitmap[word];
      if (word == from >>> 6) {
        bits &= -1L << from;
      }
      if (bits != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return bitmap.length << 6;
  }

  /** Empties the set. */
  public void clear() {
    // The bitmaps are not kept: over a large heap they would add up.
    bitmaps = new long[16][];
    units.set(0);
  }
}
