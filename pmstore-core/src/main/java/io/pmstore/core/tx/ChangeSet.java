package io.pmstore.core.tx;

import static io.pmstore.core.memory.LittleEndian.CHAR;
import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;
import static io.pmstore.core.memory.LittleEndian.SHORT;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.WriteSet;
import java.util.Arrays;

/**
 * The change set of a transaction: everything that it has written, in working copies of the objects
 * that it has changed or made. The commit changes the heap, not before. A bit for each word records
 * whether the word was written, so only these words are logged. References, locks, before-images
 * and the record are all derived from the change set ({@link ChangeReader}). Only counters and the
 * allocator's bits are elsewhere, as deltas of the {@link WriteSet}, because a transaction changes
 * them without reading them.
 *
 * <p>Objects are numbered from 0. Their copies are in blocks, each in one. The first block grows,
 * which moves its copies; the others never move, so a write set can borrow their bytes. Not safe
 * for use by several threads; reused from one transaction to the next.
 */
final class ChangeSet implements WriteSet.Lender {
  private static final byte FRESH = 1;
  private static final byte VISIBLE = 2;
  private static final byte DROPPED = 4;
  private static final int COPIES_MIN = 16;
  private static final int TABLE_KEPT_MAX = 256;
  private static final int FIRST_BLOCK_MIN = 4096;
  private static final int BLOCK_SHIFT = 21; // of words: 16 MiB
  private static final int BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;
  // With its header the array fits into 16 MiB: G1 gives a large array regions of its own, whose
  // sizes are powers of two.
  private static final int BLOCK_SIZE = (8 << BLOCK_SHIFT) - 64;
  private static final int BLOCKS_MAX = (1 << (31 - BLOCK_SHIFT)) - 1;
  private static final int DELTAS_UNASKED = 1 << 12;
  // From so many bytes on a write set has no copy of them, but borrows them.
  private static final int LENT_MIN = 1 << 20;

  private byte[][] blocks = {new byte[FIRST_BLOCK_MIN]};
  private int blockCount = 1;
  private int used; // words of all blocks, including unused ones at the ends of blocks
  private long[] dirty = new long[FIRST_BLOCK_MIN >>> 9]; // a bit for each word of the blocks

  private long[] addresses = new long[COPIES_MIN];
  private int[] starts = new int[COPIES_MIN]; // in words, over all blocks
  private int[] sizes = new int[COPIES_MIN];
  private byte[] marks = new byte[COPIES_MIN];
  private int count;

  private int[] table = new int[COPIES_MIN * 2]; // number of the copy + 1; 0 is free
  private long lastAddress = -1;
  private int lastCopy = -1;

  // The copy that was read or written last: most setters use the same one again.
  private int selected = -1;
  private byte[] selectedBlock = blocks[0];
  private int selectedStart;
  private int selectedWord;
  private int selectedSize;

  private final JavaHeap javaHeap = new JavaHeap();
  private long unasked = JavaHeap.BYTES_UNASKED;

  private final WriteSet writes;
  private final WriteSet.RangeVisitor putFresh; // made once, not for each commit
  private final WriteSet.RangeVisitor put;

  /**
   * Creates an empty set.
   *
   * @param writes gets the written words from {@link #emit}
   */
  ChangeSet(WriteSet writes) {
    this.writes = writes;
    this.putFresh = writes::putFresh;
    this.put = (WriteSet.ObjectVisitor) writes::put;
  }

  int count() {
    return count;
  }

  /** Returns the number of the copy of an object, or -1. */
  int find(long address) {
    if (address == lastAddress) {
      return lastCopy;
    }
    if (count == 0) {
      return -1;
    }
    int copy = table[slot(address)] - 1;
    if (copy >= 0) {
      lastAddress = address;
      lastCopy = copy;
    }
    return copy;
  }

  /**
   * Adds a copy of zeros, which the caller fills; returns its number. A fresh object is logged as a
   * whole.
   */
  int add(long address, int size, boolean isFresh) {
    reserve(size);
    if (count == addresses.length) {
      expand();
    }
    int copy = count++;
    addresses[copy] = address;
    marks[copy] = isFresh ? FRESH : 0;
    starts[copy] = used;
    sizes[copy] = size;
    int start = start(copy);
    Arrays.fill(block(copy), start, start + size, (byte) 0);
    used += size >>> 3;
    table[slot(address)] = count;
    lastAddress = address;
    lastCopy = copy;
    return copy;
  }

  /** Removes the copy that was added last. */
  void removeLast() {
    count--;
    table[slot(addresses[count])] = 0; // nothing was added after it
    used = starts[count];
    lastAddress = -1;
    lastCopy = -1; // a damaged reference may be -1
    selected = -1;
  }

  long address(int copy) {
    return addresses[copy];
  }

  boolean isFresh(int copy) {
    return (marks[copy] & FRESH) != 0;
  }

  /** Marks a fresh object as pinned by a Java object. */
  void setVisible(int copy) {
    marks[copy] |= VISIBLE;
  }

  /** Returns true if a Java object pinned a fresh object when it was made. */
  boolean isVisible(int copy) {
    return (marks[copy] & VISIBLE) != 0;
  }

  /** Drops a copy: its object is freed, so it is not logged. */
  void drop(int copy) {
    marks[copy] |= DROPPED;
  }

  boolean isDropped(int copy) {
    return (marks[copy] & DROPPED) != 0;
  }

  /** Returns true if the word at an offset was written. */
  boolean isDirty(int copy, int offset) {
    return isDirtyWord(starts[copy] + (offset >>> 3));
  }

  int size(int copy) {
    return sizes[copy];
  }

  /**
   * Returns the array that contains a copy, from {@link #start} on. Adding a copy can replace the
   * array.
   */
  byte[] block(int copy) {
    return blocks[starts[copy] >>> BLOCK_SHIFT];
  }

  int start(int copy) {
    return (starts[copy] & BLOCK_MASK) << 3;
  }

  long getLong(int copy, int offset) {
    int at = at(copy, offset, 8);
    return (long) LONG.get(selectedBlock, at);
  }

  void putByte(int copy, int offset, byte value) {
    int at = written(copy, offset, 1);
    selectedBlock[at] = value;
  }

  void putShort(int copy, int offset, short value) {
    int at = written(copy, offset, 2);
    SHORT.set(selectedBlock, at, value);
  }

  void putChar(int copy, int offset, char value) {
    int at = written(copy, offset, 2);
    CHAR.set(selectedBlock, at, value);
  }

  void putInt(int copy, int offset, int value) {
    int at = written(copy, offset, 4);
    INT.set(selectedBlock, at, value);
  }

  void putLong(int copy, int offset, long value) {
    int at = written(copy, offset, 8);
    LONG.set(selectedBlock, at, value);
  }

  void putBytes(int copy, int offset, byte[] source, int from, int length) {
    int at = at(copy, offset, length);
    System.arraycopy(source, from, selectedBlock, at, length);
    if (!isFresh(copy) && length > 0) {
      int last = selectedWord + ((offset + length - 1) >>> 3);
      for (int word = selectedWord + (offset >>> 3); word <= last; word++) {
        dirty[word >>> 6] |= 1L << word;
      }
    }
  }

  /** Passes each object to a reader, but for those that were dropped. */
  void forEach(ChangeReader reader) {
    for (int object = 0; object < count; object++) {
      if (isDropped(object)) {
        continue;
      }
      if (isFresh(object)) {
        reader.made(this, object);
      } else {
        reader.changed(this, object);
      }
    }
  }

  /** Adds what was written to the write set, adjacent words as one range. */
  void emit() {
    if (bytes() < LENT_MIN) {
      forEachRange(put, putFresh);
    } else {
      Counter counter = new Counter();
      forEachRange(counter, counter);
      writes.lend(this, counter.bytes);
    }
  }

  private static final class Counter implements WriteSet.RangeVisitor {
    private long bytes;

    @Override
    public void range(long address, byte[] source, int offset, int length) {
      bytes += RangeLayout.HEADER_SIZE + length;
    }
  }

  @Override
  public void forEachRange(WriteSet.RangeVisitor written, WriteSet.RangeVisitor fresh) {
    for (int copy = 0; copy < count; copy++) {
      if (isDropped(copy)) {
        continue;
      }
      byte[] block = block(copy);
      int start = start(copy);
      if (isFresh(copy)) {
        fresh.range(addresses[copy], block, start, sizes[copy]);
        continue;
      }
      int first = starts[copy];
      int end = first + (sizes[copy] >>> 3);
      int word = nextDirty(first, end);
      while (word < end) {
        int last = word + 1;
        while (last < end && isDirtyWord(last)) {
          last++;
        }
        int from = (word - first) << 3;
        written.range(
            addresses[copy], addresses[copy] + from, block, start + from, (last - word) << 3);
        word = nextDirty(last, end);
      }
    }
  }

  /**
   * Returns the number of the next word of an object that was written, or -1 if there is none from
   * that one on.
   */
  int nextDirtyWord(int copy, int from) {
    int first = starts[copy];
    int end = first + (sizes[copy] >>> 3);
    int word = nextDirty(first + from, end);
    return word < end ? word - first : -1;
  }

  void clear() {
    if (blockCount > 1 || blocks[0].length > 1 << 20) {
      blocks = new byte[][] {new byte[FIRST_BLOCK_MIN]};
      dirty = new long[FIRST_BLOCK_MIN >>> 9];
    } else {
      Arrays.fill(dirty, 0, (used + 63) >>> 6, 0);
    }
    unasked = JavaHeap.BYTES_UNASKED;
    javaHeap.clear();
    if (table.length > TABLE_KEPT_MAX && count < table.length >>> 4) {
      // Else every small transaction after a large one would pay for emptying its table.
      addresses = new long[COPIES_MIN];
      starts = new int[COPIES_MIN];
      sizes = new int[COPIES_MIN];
      marks = new byte[COPIES_MIN];
      table = new int[COPIES_MIN * 2];
    } else if (count > 0) {
      Arrays.fill(table, 0);
    }
    blockCount = 1;
    used = 0;
    count = 0;
    lastAddress = -1;
    lastCopy = -1; // a damaged reference may be -1
    selected = -1;
  }

  private void select(int copy) {
    selectedBlock = block(copy);
    selectedStart = start(copy);
    selectedWord = starts[copy];
    selectedSize = sizes[copy];
    selected = copy;
  }

  /** Returns where a part of a copy is in {@link #selectedBlock}. */
  private int at(int copy, int offset, int length) {
    if (copy != selected) {
      select(copy);
    }
    if (offset < 0 || offset + length > selectedSize) {
      throw new IndexOutOfBoundsException(
          "offset " + offset + " is outside an object of " + selectedSize + " bytes");
    }
    return selectedStart + offset;
  }

  private int written(int copy, int offset, int length) {
    int at = at(copy, offset, length);
    int word = selectedWord + (offset >>> 3);
    dirty[word >>> 6] |= 1L << word;
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
    return slot(table, addresses, address);
  }

  private static int slot(int[] table, long[] addresses, long address) {
    int mask = table.length - 1;
    int i = (int) ((address * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    while (table[i] != 0 && addresses[table[i] - 1] != address) {
      i = (i + 1) & mask;
    }
    return i;
  }

  /** Returns the number of the objects that are not new. */
  int changedCount() {
    int changed = 0;
    for (int copy = 0; copy < count; copy++) {
      changed += isFresh(copy) ? 0 : 1;
    }
    return changed;
  }

  /** Returns true if a commit has to ask for the Java heap that it needs beside the copies. */
  boolean isLarge() {
    return bytes() >= LENT_MIN || writes.deltaCount() > DELTAS_UNASKED;
  }

  /** Returns the bytes of all copies and of unused space at the ends of blocks. */
  private long bytes() {
    return (long) used << 3;
  }

  /**
   * Returns if the Java heap has room for something that the transaction needs beside its copies.
   *
   * @param more bytes that are needed
   * @throws TransactionTooLargeException if there is no room even without garbage
   */
  void requireRoom(long more) {
    if (hasToAsk(more)) {
      javaHeap.reserve(more + JavaHeap.BYTES_UNASKED, count, bytes());
    }
  }

  /** Does the same for an operation that has gathered elements, and has yet to change them. */
  void requireRoom(long more, long elements) {
    if (hasToAsk(more)) {
      javaHeap.reserve(more + JavaHeap.BYTES_UNASKED, elements, count, bytes());
    }
  }

  /** Counts bytes that are about to be taken; returns true if there are many since it was asked. */
  private boolean hasToAsk(long more) {
    unasked -= more;
    if (unasked >= 0) {
      return false;
    }
    unasked = JavaHeap.BYTES_UNASKED;
    return true;
  }

  private void reserve(int size) {
    if (hasToAsk((long) size + JavaHeap.BYTES_PER_OBJECT)) {
      javaHeap.reserve(size + JavaHeap.BYTES_UNASKED, count, bytes());
    }
    long needed = ((long) (used & BLOCK_MASK) << 3) + size;
    if (needed > blocks[blockCount - 1].length) {
      makeRoom(needed);
    }
  }

  private void makeRoom(long needed) {
    boolean isFirst = blockCount == 1 && needed <= BLOCK_SIZE;
    int length =
        isFirst ? (int) Math.min(BLOCK_SIZE, Math.max(needed, blocks[0].length * 2L)) : BLOCK_SIZE;
    try {
      if (isFirst) {
        long[] moreDirty = Arrays.copyOf(dirty, (length >>> 9) + 1); // both or none
        blocks[0] = Arrays.copyOf(blocks[0], length);
        selected = -1;
        dirty = moreDirty;
        return;
      }
      if (blockCount == BLOCKS_MAX) {
        throw new TransactionTooLargeException(
            "a transaction writes %d objects of more than %d bytes; split it"
                .formatted(count, bytes()));
      }
      byte[] block = new byte[length];
      int words = (blockCount + 1) << BLOCK_SHIFT;
      if (blocks.length == blockCount) {
        blocks = Arrays.copyOf(blocks, blockCount * 2);
      }
      if (dirty.length < words >>> 6) {
        dirty = Arrays.copyOf(dirty, Math.max(words >>> 6, dirty.length * 2));
      }
      blocks[blockCount] = block;
      used = blockCount++ << BLOCK_SHIFT;
    } catch (OutOfMemoryError e) {
      throw tooLarge(length, e);
    }
  }

  private TransactionTooLargeException tooLarge(long more, OutOfMemoryError cause) {
    return JavaHeap.tooLarge(JavaHeap.toGoOn(more), count, bytes(), cause);
  }

  /** Returns the exception for a transaction whose commit needs more Java heap than there is. */
  TransactionTooLargeException tooLargeToCommit(OutOfMemoryError cause) {
    return JavaHeap.tooLarge("more Java heap to commit", count, bytes(), cause);
  }

  private void expand() {
    int capacity = addresses.length * 2;
    long bytes = capacity * (Long.BYTES + 4L * Integer.BYTES + 1);
    try {
      if (capacity > 1 << 16) {
        javaHeap.reserve(bytes * 3 / 2, count, bytes()); // old and new arrays at the same time
      }
      long[] newAddresses = Arrays.copyOf(addresses, capacity);
      int[] newStarts = Arrays.copyOf(starts, capacity);
      int[] newSizes = Arrays.copyOf(sizes, capacity);
      byte[] newMarks = Arrays.copyOf(marks, capacity);
      int[] newTable = new int[capacity * 2];
      for (int copy = 0; copy < count; copy++) {
        newTable[slot(newTable, addresses, addresses[copy])] = copy + 1;
      }
      table = newTable; // with the others, once it is whole: the stack may have ended before
      addresses = newAddresses;
      starts = newStarts;
      sizes = newSizes;
      marks = newMarks;
    } catch (OutOfMemoryError e) {
      throw tooLarge(bytes, e);
    }
  }
}
