package io.pmstore.core.tx;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.WriteSet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The objects that a transaction has written or made, each as a copy in which the writes happen;
 * the heap is untouched until the commit. Which words were written is kept per image, so that only
 * these are logged.
 *
 * <p>Images are numbered from 0. Not safe for use by several threads; reused from one transaction
 * to the next.
 */
final class ObjectImages {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle CHAR = view(char[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final byte FRESH = 1;
  private static final byte VISIBLE = 2;
  private static final byte DROPPED = 4;
  private static final int IMAGES_MIN = 16;
  private static final int TABLE_KEPT_MAX = 256;
  private static final int ARENA_MIN = 4096;
  private static final int ARENA_MAX = Integer.MAX_VALUE - 64;

  private byte[] arena = new byte[ARENA_MIN];
  private int arenaUsed;
  private long[] dirty = new long[ARENA_MIN >>> 9]; // one bit a word of the arena

  private long[] addresses = new long[IMAGES_MIN];
  private int[] starts = new int[IMAGES_MIN + 1];
  private byte[] marks = new byte[IMAGES_MIN];
  private int count;

  private int[] table = new int[IMAGES_MIN * 2]; // image + 1; 0 is free
  private long lastAddress = -1;
  private int lastImage;

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  int count() {
    return count;
  }

  /** The image of an object, or -1. */
  int find(long address) {
    if (address == lastAddress) {
      return lastImage;
    }
    if (count == 0) {
      return -1;
    }
    int image = table[slot(address)] - 1;
    if (image >= 0) {
      lastAddress = address;
      lastImage = image;
    }
    return image;
  }

  /** Adds an image of zeros; the caller fills it. A fresh object is logged as a whole. */
  int add(long address, int size, boolean isFresh) {
    reserve(size);
    int image = count++;
    if (count == addresses.length) {
      expand();
    }
    addresses[image] = address;
    marks[image] = isFresh ? FRESH : 0;
    starts[image] = arenaUsed;
    Arrays.fill(arena, arenaUsed, arenaUsed + size, (byte) 0);
    arenaUsed += size;
    starts[count] = arenaUsed;
    table[slot(address)] = count;
    lastAddress = address;
    lastImage = image;
    return image;
  }

  /** Takes the image away that was added last. */
  void removeLast() {
    count--;
    table[slot(addresses[count])] = 0; // nothing was added behind it
    arenaUsed = starts[count];
    lastAddress = -1;
  }

  long address(int image) {
    return addresses[image];
  }

  boolean isFresh(int image) {
    return (marks[image] & FRESH) != 0;
  }

  /** Notes that a Java object stands for a fresh object. */
  void setVisible(int image) {
    marks[image] |= VISIBLE;
  }

  /** Whether a Java object stood for a fresh object when it was made. */
  boolean isVisible(int image) {
    return (marks[image] & VISIBLE) != 0;
  }

  /** Has an image not be logged, because there is no such object any more. */
  void drop(int image) {
    marks[image] |= DROPPED;
  }

  /** Whether there is no such object any more. */
  boolean isDropped(int image) {
    return (marks[image] & DROPPED) != 0;
  }

  /** Whether one of the words of an object was written. */
  boolean isDirty(int image, int offset) {
    return isDirtyWord((starts[image] + offset) >>> 3);
  }

  int size(int image) {
    return starts[image + 1] - starts[image];
  }

  /** The array that holds an image, from {@link #start} on. Adding an image can replace it. */
  byte[] arena() {
    return arena;
  }

  int start(int image) {
    return starts[image];
  }

  long getLong(int image, int offset) {
    return (long) LONG.get(arena, at(image, offset, 8));
  }

  void putByte(int image, int offset, byte value) {
    arena[written(image, offset, 1)] = value;
  }

  void putShort(int image, int offset, short value) {
    SHORT.set(arena, written(image, offset, 2), value);
  }

  void putChar(int image, int offset, char value) {
    CHAR.set(arena, written(image, offset, 2), value);
  }

  void putInt(int image, int offset, int value) {
    INT.set(arena, written(image, offset, 4), value);
  }

  void putLong(int image, int offset, long value) {
    LONG.set(arena, written(image, offset, 8), value);
  }

  void putBytes(int image, int offset, byte[] source, int from, int length) {
    assert isFresh(image) : "only fresh objects are filled with bytes";
    System.arraycopy(source, from, arena, at(image, offset, length), length);
  }

  /** Adds what was written to a write set, adjacent words as one range. */
  void emit(WriteSet writes) {
    for (int image = 0; image < count; image++) {
      if (isDropped(image)) {
        continue;
      }
      int start = starts[image];
      int end = starts[image + 1];
      if (isFresh(image)) {
        writes.putFresh(addresses[image], arena, start, end - start);
        continue;
      }
      int word = nextDirty(start >>> 3, end >>> 3);
      while (word < end >>> 3) {
        int last = word + 1;
        while (last < end >>> 3 && isDirtyWord(last)) {
          last++;
        }
        int from = word << 3;
        writes.put(addresses[image] + (from - start), arena, from, (last << 3) - from);
        word = nextDirty(last, end >>> 3);
      }
    }
  }

  /**
   * The next word of an object that was written, by its number in it.
   *
   * @return the number, or -1 if there is none from that one on
   */
  int nextDirtyWord(int image, int from) {
    int first = starts[image] >>> 3;
    int end = starts[image + 1] >>> 3;
    int word = nextDirty(first + from, end);
    return word < end ? word - first : -1;
  }

  /** Shows the words of an object that were written, by their number in it. */
  void forEachDirtyWord(int image, IntConsumer visitor) {
    int first = starts[image] >>> 3;
    int end = starts[image + 1] >>> 3;
    for (int word = nextDirty(first, end); word < end; word = nextDirty(word + 1, end)) {
      visitor.accept(word - first);
    }
  }

  void clear() {
    if (arena.length > 1 << 20) {
      arena = new byte[ARENA_MIN];
      dirty = new long[ARENA_MIN >>> 9];
    } else {
      Arrays.fill(dirty, 0, (arenaUsed + 511) >>> 9, 0);
    }
    if (table.length > TABLE_KEPT_MAX && count < table.length >>> 4) {
      // Else every small transaction after a large one would pay for emptying its table.
      addresses = new long[IMAGES_MIN];
      starts = new int[IMAGES_MIN + 1];
      marks = new byte[IMAGES_MIN];
      table = new int[IMAGES_MIN * 2];
    } else if (count > 0) {
      Arrays.fill(table, 0);
    }
    arenaUsed = 0;
    count = 0;
    lastAddress = -1;
  }

  private int at(int image, int offset, int length) {
    int at = starts[image] + offset;
    if (offset < 0 || at + length > starts[image + 1]) {
      throw new IndexOutOfBoundsException(
          "offset " + offset + " is outside an object of " + size(image) + " bytes");
    }
    return at;
  }

  private int written(int image, int offset, int length) {
    int at = at(image, offset, length);
    dirty[at >>> 9] |= 1L << (at >>> 3);
    return at;
  }

  private boolean isDirtyWord(int word) {
    return (dirty[word >>> 6] & 1L << word) != 0;
  }

  private int nextDirty(int from, int end) {
    for (int word = from; word < end; word = (word | 63) + 1) {
      long bits = dirty[word >>> 6] >>> word; // Java shifts by the lowest six bits
      if (bits != 0) {
        return Math.min(end, word + Long.numberOfTrailingZeros(bits));
      }
    }
    return end;
  }

  private int slot(long address) {
    int mask = table.length - 1;
    int i = (int) ((address * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    while (table[i] != 0 && addresses[table[i] - 1] != address) {
      i = (i + 1) & mask;
    }
    return i;
  }

  private void reserve(int size) {
    long needed = (long) arenaUsed + size;
    if (needed > ARENA_MAX) {
      throw new TransactionTooLargeException(
          "a transaction writes objects of more than " + ARENA_MAX + " bytes; split it");
    }
    if (needed > arena.length) {
      arena = Arrays.copyOf(arena, (int) Math.min(ARENA_MAX, Math.max(needed, arena.length * 2L)));
      dirty = Arrays.copyOf(dirty, (arena.length >>> 9) + 1);
    }
  }

  private void expand() {
    int capacity = addresses.length * 2;
    addresses = Arrays.copyOf(addresses, capacity);
    starts = Arrays.copyOf(starts, capacity + 1);
    marks = Arrays.copyOf(marks, capacity);
    table = new int[capacity * 2];
    for (int image = 0; image < count - 1; image++) {
      table[slot(addresses[image])] = image + 1;
    }
  }
}
