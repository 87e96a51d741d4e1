package io.pmstore.core.engine;

import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.memory.HeapMemory;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one commit: ranges of 8-byte words with their new contents, and blind deltas.
 *
 * <p>A delta (add, set bits, clear bits on one word, in this order) describes how a word changes
 * without reading it. During the commit {@link #resolve} turns it into a range, while the caller
 * keeps other commits from changing the word. Ranges and deltas of one write set do not overlap.
 *
 * <p>The ranges are stored in the form of {@link RangeLayout}, as in a log record, behind room for
 * the record's header, so that logging needs no copy. Not thread-safe; reusable after {@link
 * #clear}.
 */
public final class WriteSet {
  /** The bytes before the ranges in {@link #record}, where an engine may put a record's header. */
  public static final int HEADROOM = 48;

  private static final byte[] NOTHING = {};
  private static final long HEAP_MAX = (long) HeapMemory.EXTENTS_MAX << HeapMemory.EXTENT_SHIFT;
  private static final int SLOT = 4;
  private static final int DELTAS_KEPT_MAX = 256;
  private static final int DELTAS_UNASKED = 1 << 14;
  private static final int DECODED_SPARE = 256; // for a few words that an engine adds
  private static final int LENGTH_MAX = Integer.MAX_VALUE - 64;

  private byte[] bytes;
  private int length = HEADROOM;
  private int[] fresh = new int[8]; // offsets in bytes of the ranges of unused space, ascending
  private int freshCount;
  // Open addressing, four longs a slot: address (0 is free), sum to add, bits to set, bits to
  // clear.
  private long[] deltas = new long[16 * SLOT];
  private int deltaCount;
  private @Nullable Lender lender;
  private long lent;
  private boolean relaxed;
  private BooleanSupplier readsAreCurrent = () -> true;
  private final LongConsumer room;

  /** Receives the ranges of a write set. */
  @FunctionalInterface
  public interface RangeVisitor {
    /**
     * Receives one range.
     *
     * @param address of its first byte in the heap, 8-byte aligned
     * @param source the array with its contents
     * @param offset of the contents in the array
     * @param length of the contents in bytes, a multiple of 8
     */
    void range(long address, byte[] source, int offset, int length);

    /**
     * Receives one range and the object that it changes; see {@link RangeLayout}. Without the
     * object unless overridden.
     *
     * @param object where the object begins
     */
    default void range(long object, long address, byte[] source, int offset, int length) {
      range(address, source, offset, length);
    }
  }

  /** Receives the ranges of a write set with the objects that they change. */
  public interface ObjectVisitor extends RangeVisitor {
    @Override
    default void range(long address, byte[] source, int offset, int length) {
      range(address, address, source, offset, length);
    }

    @Override
    void range(long object, long address, byte[] source, int offset, int length);
  }

  /** Keeps ranges that belong to a write set, which then need not be copied into it. */
  @FunctionalInterface
  public interface Lender {
    /**
     * Passes each range to a visitor.
     *
     * @param used takes ranges of space that was in use
     * @param unused takes ranges of space that was not; see {@link #putFresh}
     */
    void forEachRange(RangeVisitor used, RangeVisitor unused);
  }

  /** Creates an empty write set. */
  public WriteSet() {
    this(1024, more -> {});
  }

  /**
   * Creates an empty write set that asks for room before it takes memory for many deltas.
   *
   * @param room takes the number of bytes; throws if the Java heap has too little room for them
   */
  public WriteSet(LongConsumer room) {
    this(1024, room);
  }

  private WriteSet(int capacity, LongConsumer room) {
    this.bytes = new byte[capacity];
    this.room = room;
  }

  /** Empties the write set for its next use. */
  public void clear() {
    length = HEADROOM;
    lender = null;
    lent = 0;
    relaxed = false;
    readsAreCurrent = () -> true;
    freshCount = 0;
    clearDeltas();
    if (bytes.length > 1 << 20) {
      bytes = new byte[1024];
      fresh = new int[8];
    }
  }

  /** Returns true if there are neither ranges nor deltas. */
  public boolean isEmpty() {
    return length == HEADROOM && deltaCount == 0 && lender == null;
  }

  /**
   * Tells the engine that no thread will wait until the commit is durable. The engine may then
   * write the record in the way that is cheapest without a sync after it.
   */
  public void setRelaxed() {
    relaxed = true;
  }

  /** Returns true after {@link #setRelaxed}. */
  public boolean isRelaxed() {
    return relaxed;
  }

  /**
   * Sets what {@link #readsAreCurrent} asks, until the write set is cleared.
   *
   * @param check may be called by any thread until the commit has ended
   */
  public void setReadsAreCurrent(BooleanSupplier check) {
    readsAreCurrent = check;
  }

  /**
   * Returns true if nothing that the transaction has read was changed since, or is locked by
   * another commit. The transaction has asked that itself before {@link Engine#place}. An engine
   * that gives a commit its place in the order later asks again then; otherwise a commit that came
   * in between, and changed what this one has read, would have the earlier place.
   */
  public boolean readsAreCurrent() {
    return readsAreCurrent.getAsBoolean();
  }

  /** Adds a range that begins where its object does; parameters as below. */
  public void put(long address, byte[] source, int offset, int size) {
    put(address, address, source, offset, size);
  }

  /**
   * Adds a range.
   *
   * @param object where the object begins that the range changes
   * @param address of its first byte in the heap, 8-byte aligned
   * @param source the array with its contents
   * @param offset of the contents in the array
   * @param size of the contents in bytes, a multiple of 8
   */
  public void put(long object, long address, byte[] source, int offset, int size) {
    assert (address & 7) == 0 && (size & 7) == 0 : "address " + address + ", size " + size;
    reserve(RangeLayout.HEADER_SIZE + (long) size);
    RangeLayout.writeHeader(bytes, length, object, address, size);
    System.arraycopy(source, offset, bytes, length + RangeLayout.HEADER_SIZE, size);
    length += RangeLayout.HEADER_SIZE + size;
  }

  /**
   * Adds a range of space that was unused before. Its old contents are not needed, even if a crash
   * rolls the commit back: an engine may then leave the new contents there. The range is a whole
   * object. Parameters as for {@link #put}.
   */
  public void putFresh(long address, byte[] source, int offset, int size) {
    if (freshCount == fresh.length) {
      fresh = Arrays.copyOf(fresh, freshCount * 2);
    }
    int at = length;
    put(address, source, offset, size);
    fresh[freshCount++] = at;
  }

  /** Names an object that the commit frees; who applies the record elsewhere has to know. */
  public void putFreed(long object) {
    put(object, NOTHING, 0, 0);
  }

  /**
   * Adds ranges that stay in place and unchanged until the commit has ended, so that a large
   * transaction needs no second copy of what it wrote.
   *
   * @param ranges passes the same ranges each time
   * @param size of the ranges in records, in bytes: {@link RangeLayout#HEADER_SIZE} for each, and
   *     their contents
   */
  public void lend(Lender ranges, long size) {
    assert lender == null : "one lender at a time";
    lender = ranges;
    lent = size;
  }

  /** Returns true if {@link #record} lacks ranges because they are lent. */
  public boolean hasLent() {
    return lender != null;
  }

  /** Adds a range of one 8-byte aligned word. */
  public void putLong(long address, long value) {
    reserve(RangeLayout.HEADER_SIZE + 8L);
    RangeLayout.writeHeader(bytes, length, address, address, Long.BYTES);
    LONG.set(bytes, length + RangeLayout.HEADER_SIZE, value);
    length += RangeLayout.HEADER_SIZE + 8;
  }

  /** Adds a delta that adds {@code n} to an 8-byte aligned word. */
  public void add(long address, long n) {
    int slot = slot(address); // first: it may replace the array
    deltas[slot + 1] += n;
  }

  /** Returns the sum that the deltas so far add to a word. */
  public long added(long address) {
    return deltaCount == 0 ? 0 : deltas[find(deltas, address) + 1];
  }

  /** Adds a delta that sets the bits of {@code mask} in an 8-byte aligned word. */
  public void setBits(long address, long mask) {
    int slot = slot(address); // first: it may replace the array
    deltas[slot + 2] |= mask;
  }

  /** Adds a delta that clears the bits of {@code mask} in an 8-byte aligned word. */
  public void clearBits(long address, long mask) {
    int slot = slot(address); // first: it may replace the array
    deltas[slot + 3] |= mask;
  }

  private int slot(long address) {
    assert address != 0 && (address & 7) == 0 : "address " + address;
    if (deltaCount * 2 * SLOT >= deltas.length) {
      if (deltaCount >= DELTAS_UNASKED) {
        room.accept(2L * Long.BYTES * deltas.length);
      }
      long[] more = new long[deltas.length * 2];
      for (int i = 0; i < deltas.length; i += SLOT) {
        if (deltas[i] != 0) {
          System.arraycopy(deltas, i, more, find(more, deltas[i]), SLOT);
        }
      }
      deltas = more; // once it is whole: memory or the stack may have ended before
    }
    int slot = find(deltas, address);
    if (deltas[slot] == 0) {
      deltas[slot] = address;
      deltaCount++;
    }
    return slot;
  }

  /** Returns the slot of an address, or the free one for it. */
  private static int find(long[] deltas, long address) {
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

  /** Returns the number of words with a delta. */
  public int deltaCount() {
    return deltaCount;
  }

  /** Passes the address of each word with a delta to a visitor, in no particular order. */
  public void forEachDelta(LongConsumer visitor) {
    for (int i = 0; i < deltas.length && deltaCount > 0; i += SLOT) {
      if (deltas[i] != 0) {
        visitor.accept(deltas[i]);
      }
    }
  }

  /**
   * Turns every delta into a range, based on the current words. The engine calls it during a
   * commit; the caller of the commit ensures that no other thread changes these words.
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

  /** Returns the size of the ranges in bytes, in records, as it is once the deltas are resolved. */
  public long encodedSize() {
    return length() + (long) deltaCount * (RangeLayout.HEADER_SIZE + 8);
  }

  /** Returns the size of the ranges in records, in bytes, without record headers. */
  public long length() {
    return recordSize() - HEADROOM + lent;
  }

  /**
   * Returns the size of {@link #record} in bytes: the ranges that are not lent, and the record's
   * header.
   */
  public int recordSize() {
    return length;
  }

  /**
   * Returns the ranges that are not lent, as the payload of a record: the first {@link #HEADROOM}
   * bytes of the array are room for the record's header; the ranges follow, up to {@link
   * #recordSize}. Not a copy.
   */
  public byte[] record() {
    return bytes;
  }

  /**
   * Passes each range that has words to a visitor: in the order of addition, the lent ones last.
   */
  public void forEachRange(RangeVisitor visitor) {
    forEachRange(visitor, visitor);
  }

  /**
   * Passes each range that has words to a visitor: in the order of addition, the lent ones last.
   *
   * @param used takes ranges of space that was in use
   * @param unused takes ranges of space that was not; see {@link #putFresh}
   */
  public void forEachRange(RangeVisitor used, RangeVisitor unused) {
    int at = HEADROOM;
    int next = 0; // index into fresh
    while (at < length) {
      int size = RangeLayout.size(bytes, at);
      boolean isFresh = next < freshCount && fresh[next] == at;
      next += isFresh ? 1 : 0;
      if (size > 0) {
        (isFresh ? unused : used)
            .range(
                RangeLayout.object(bytes, at),
                RangeLayout.address(bytes, at),
                bytes,
                at + RangeLayout.HEADER_SIZE,
                size);
      }
      at += RangeLayout.HEADER_SIZE + size;
    }
    if (lender != null) {
      lender.forEachRange(used, unused);
    }
  }

  /** Passes each object that the commit frees to a visitor. */
  public void forEachFreed(LongConsumer visitor) {
    for (int at = HEADROOM; at < length; ) {
      int size = RangeLayout.size(bytes, at);
      if (size == 0) {
        visitor.accept(RangeLayout.address(bytes, at));
      }
      at += RangeLayout.HEADER_SIZE + size;
    }
  }

  /**
   * Returns all ranges, those that are lent too, in the form of {@link RangeLayout}. The engine has
   * resolved the deltas before.
   *
   * @throws TransactionTooLargeException if they do not fit into an array
   */
  public byte[] encode() {
    if (deltaCount > 0) {
      throw new IllegalStateException(deltaCount + " deltas are not resolved yet");
    }
    if (lender == null) {
      return Arrays.copyOfRange(bytes, HEADROOM, length);
    }
    WriteSet copy = new WriteSet();
    copy.reserve(length());
    forEachFreed(copy::putFreed);
    ObjectVisitor put = copy::put;
    forEachRange(put, put);
    return copy.encode();
  }

  /**
   * Returns the write set that {@link #encode} has encoded.
   *
   * @throws IllegalArgumentException if these bytes are not what {@link #encode} returns
   */
  public static WriteSet decode(byte[] encoded) {
    checkRanges(encoded);
    WriteSet writes = new WriteSet(HEADROOM + encoded.length + DECODED_SPARE, more -> {});
    System.arraycopy(encoded, 0, writes.bytes, HEADROOM, encoded.length);
    writes.length += encoded.length;
    return writes;
  }

  private static void checkRanges(byte[] encoded) {
    int at = 0;
    while (at < encoded.length) {
      long left = encoded.length - (long) at - RangeLayout.HEADER_SIZE;
      if (left < 0 || RangeLayout.words(encoded, at) > left >>> 3) {
        throw new IllegalArgumentException(
            "a record of %d bytes is cut off in the range at byte %d; it has to come whole from the store that wrote it"
                .formatted(encoded.length, at));
      }
      long address = RangeLayout.address(encoded, at);
      long object = RangeLayout.object(encoded, at);
      int size = RangeLayout.size(encoded, at);
      if (((address | object) & 7) != 0 || object < Engine.RESERVED || address > HEAP_MAX - size) {
        throw new IllegalArgumentException(
            "a record has a range of %d bytes at %d, of an object at %d, expected multiples of 8 from %d to %d"
                .formatted(size, address, object, Engine.RESERVED, HEAP_MAX));
      }
      at += RangeLayout.HEADER_SIZE + size;
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
