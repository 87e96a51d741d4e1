package io.pmstore.core.engine;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * What one commit changes: ranges of 8-byte words with their new contents, and blind deltas.
 *
 * <p>A delta (add, set bits, clear bits on one word, in this order) says how a word changes without
 * having read it. {@link #resolve} makes it an ordinary range during the commit, when the caller
 * lets no other commit change the word. Ranges and deltas of one write set do not overlap.
 *
 * <p>The ranges are kept in the form in which the redo log stores them, behind room for a record's
 * header, so that logging needs no copy:
 *
 * <pre>
 *   0        8        16                        16 + 8 * words
 *   +--------+--------+-------------------------+
 *   |address | words  | contents                |   repeated
 *   +--------+--------+-------------------------+
 * </pre>
 *
 * <p>Little-endian; addresses are 8-byte aligned. Not safe for use by several threads; reusable
 * after {@link #clear}.
 */
public final class WriteSet {
  /** The bytes that a range takes beside its contents. */
  public static final int RANGE_HEADER = 16;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SLOT = 4;
  private static final int DELTAS_KEPT_MAX = 256;
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 64;

  private static final int START = LogRecordLayout.HEADER_SIZE;

  private byte[] bytes = new byte[1024];
  private int length = START;
  private int[] fresh = new int[8]; // where in the bytes the ranges of unused space are, ascending
  private int freshCount;
  // Open addressing, four longs a slot: address (0 is free), sum to add, bits to set, bits to
  // clear.
  private long[] deltas = new long[16 * SLOT];
  private int deltaCount;

  /** Receives the ranges of a write set. */
  @FunctionalInterface
  public interface RangeVisitor {
    /**
     * Takes one range.
     *
     * @param address of its first byte in the heap, 8-byte aligned
     * @param source the array with its contents
     * @param offset of the contents in the array
     * @param length of the contents in bytes, a multiple of 8
     */
    void range(long address, byte[] source, int offset, int length);
  }

  /** Empties the write set for its next use. */
  public void clear() {
    length = START;
    freshCount = 0;
    clearDeltas();
    if (bytes.length > 1 << 20) {
      bytes = new byte[1024];
      fresh = new int[8];
    }
  }

  /**
   * Says whether there is nothing to commit.
   *
   * @return true if there are neither ranges nor deltas
   */
  public boolean isEmpty() {
    return length == START && deltaCount == 0;
  }

  /**
   * Adds a range.
   *
   * @param address of its first byte in the heap, 8-byte aligned
   * @param source the array with its contents
   * @param offset of the contents in the array
   * @param size of the contents in bytes, a multiple of 8
   */
  public void put(long address, byte[] source, int offset, int size) {
    assert (address & 7) == 0 && (size & 7) == 0 : "address " + address + ", size " + size;
    reserve(RANGE_HEADER + (long) size);
    LONG.set(bytes, length, address);
    LONG.set(bytes, length + 8, (long) (size >>> 3));
    System.arraycopy(source, offset, bytes, length + RANGE_HEADER, size);
    length += RANGE_HEADER + size;
  }

  /**
   * Adds a range of space that was unused before: nobody needs its old contents, not even if the
   * commit is rolled back by a crash.
   *
   * @param address of its first byte in the heap, 8-byte aligned
   * @param source the array with its contents
   * @param offset of the contents in the array
   * @param size of the contents in bytes, a multiple of 8
   */
  public void putFresh(long address, byte[] source, int offset, int size) {
    if (freshCount == fresh.length) {
      fresh = Arrays.copyOf(fresh, freshCount * 2);
    }
    int at = length;
    put(address, source, offset, size);
    fresh[freshCount++] = at;
  }

  /**
   * Adds a range of one word.
   *
   * @param address of the word, 8-byte aligned
   * @param value its new contents
   */
  public void putLong(long address, long value) {
    reserve(RANGE_HEADER + 8L);
    LONG.set(bytes, length, address);
    LONG.set(bytes, length + 8, 1L);
    LONG.set(bytes, length + RANGE_HEADER, value);
    length += RANGE_HEADER + 8;
  }

  /**
   * Adds a delta that adds to a word.
   *
   * @param address of the word, 8-byte aligned
   * @param n what to add
   */
  public void add(long address, long n) {
    int slot = slot(address); // first: it may replace the array
    deltas[slot + 1] += n;
  }

  /**
   * What the deltas so far add to a word.
   *
   * @param address of the word, 8-byte aligned
   * @return the sum
   */
  public long added(long address) {
    return deltaCount == 0 ? 0 : deltas[find(address) + 1];
  }

  /**
   * Adds a delta that sets bits of a word.
   *
   * @param address of the word, 8-byte aligned
   * @param mask the bits
   */
  public void setBits(long address, long mask) {
    int slot = slot(address); // first: it may replace the array
    deltas[slot + 2] |= mask;
  }

  /**
   * Adds a delta that clears bits of a word.
   *
   * @param address of the word, 8-byte aligned
   * @param mask the bits
   */
  public void clearBits(long address, long mask) {
    int slot = slot(address); // first: it may replace the array
    deltas[slot + 3] |= mask;
  }

  private int slot(long address) {
    assert address != 0 && (address & 7) == 0 : "address " + address;
    if (deltaCount * 2 * SLOT >= deltas.length) {
      long[] old = deltas;
      deltas = new long[old.length * 2];
      for (int i = 0; i < old.length; i += SLOT) {
        if (old[i] != 0) {
          System.arraycopy(old, i, deltas, find(old[i]), SLOT);
        }
      }
    }
    int slot = find(address);
    if (deltas[slot] == 0) {
      deltas[slot] = address;
      deltaCount++;
    }
    return slot;
  }

  /** The slot of an address, or the free one where it belongs. */
  private int find(long address) {
    int mask = deltas.length / SLOT - 1;
    int i = (int) ((address * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    while (deltas[i * SLOT] != 0 && deltas[i * SLOT] != address) {
      i = (i + 1) & mask;
    }
    return i * SLOT;
  }

  private void clearDeltas() {
    if (deltas.length > DELTAS_KEPT_MAX && deltaCount < deltas.length >>> 5) {
      deltas = new long[16 * SLOT];
    } else if (deltaCount > 0) {
      Arrays.fill(deltas, 0);
    }
    deltaCount = 0;
  }

  /**
   * Shows the address of each word that has a delta, in no particular order.
   *
   * @param visitor what takes them
   */
  public void forEachDelta(LongConsumer visitor) {
    for (int i = 0; i < deltas.length && deltaCount > 0; i += SLOT) {
      if (deltas[i] != 0) {
        visitor.accept(deltas[i]);
      }
    }
  }

  /**
   * Makes every delta a range, from the words as they are. To be called by the engine when it
   * commits: the caller sees to it that nobody else changes these words meanwhile.
   *
   * @param memory the heap, with all earlier commits to these words applied
   */
  public void resolve(HeapMemory memory) {
    for (int i = 0; i < deltas.length && deltaCount > 0; i += SLOT) {
      if (deltas[i] != 0) {
        long old = memory.getLong(deltas[i]);
        putLong(deltas[i], ((old + deltas[i + 1]) | deltas[i + 2]) & ~deltas[i + 3]);
      }
    }
    clearDeltas();
  }

  /**
   * An upper bound of the size of the ranges, deltas included.
   *
   * @return the bytes that the ranges have once the deltas are resolved
   */
  public long encodedSize() {
    return length() + (long) deltaCount * (RANGE_HEADER + 8);
  }

  /**
   * The size of the ranges.
   *
   * @return the bytes that they have in a record, behind its header
   */
  public int length() {
    return length - START;
  }

  /**
   * The ranges as the payload of a record.
   *
   * @return the array whose first {@link LogRecordLayout#HEADER_SIZE} bytes are room for the
   *     record's header, with the ranges in the {@link #length} bytes behind it; not a copy
   */
  public byte[] record() {
    return bytes;
  }

  /**
   * Shows each range, in the order in which it was added.
   *
   * @param visitor what takes them
   */
  public void forEachRange(RangeVisitor visitor) {
    forEachRange(visitor, visitor);
  }

  /**
   * Shows each range, in the order in which it was added.
   *
   * @param used takes those of space that was in use
   * @param unused takes those of space that was not, see {@link #putFresh}
   */
  public void forEachRange(RangeVisitor used, RangeVisitor unused) {
    int at = START;
    int next = 0; // of the fresh ranges
    while (at < length) {
      int size = (int) (long) LONG.get(bytes, at + 8) << 3;
      boolean isFresh = next < freshCount && fresh[next] == at;
      next += isFresh ? 1 : 0;
      (isFresh ? unused : used).range((long) LONG.get(bytes, at), bytes, at + RANGE_HEADER, size);
      at += RANGE_HEADER + size;
    }
  }

  private void reserve(long more) {
    long needed = length + more;
    if (needed > bytes.length) {
      if (needed > LENGTH_MAX) {
        throw new TransactionTooLargeException(
            "a transaction writes more than " + LENGTH_MAX + " bytes; split it");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(LENGTH_MAX, Math.max(needed, bytes.length * 2L)));
    }
  }
}
