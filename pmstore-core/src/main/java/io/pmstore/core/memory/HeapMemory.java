package io.pmstore.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a heap as memory: a row of extents of {@value #EXTENT_SIZE} bytes each, addressed as
 * one space.
 *
 * <pre>
 *   address   63..40   39 ......... 24   23 .......... 0
 *             zero     extent number     offset in extent
 * </pre>
 *
 * <p>Multi-byte values are little-endian. A naturally aligned value lies in one extent and is read
 * and written in one access; byte ranges may cross extents. An address outside the space throws one
 * of the JVM's own bounds exceptions, which {@code Heap} explains to its callers. An engine that
 * shrinks, is closed or has failed removes extents, with the same effect.
 *
 * <p>Any number of threads may read while an engine applies writes. The transactions above order
 * the two.
 */
public final class HeapMemory {
  /** Binary logarithm of {@link #EXTENT_SIZE}. */
  public static final int EXTENT_SHIFT = 24;

  /** The size of an extent: 16 MiB. */
  public static final long EXTENT_SIZE = 1L << EXTENT_SHIFT;

  /** The most extents of a heap: 1 TiB. */
  public static final int EXTENTS_MAX = 1 << 16;

  private static final long OFFSET_MASK = EXTENT_SIZE - 1;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfChar CHAR =
      ValueLayout.JAVA_CHAR.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  // Never replaced: a getter has one load less, and no thread can see a stale copy.
  private final @Nullable MemorySegment[] extents = new MemorySegment[EXTENTS_MAX];
  private volatile int count;
  private volatile long writableBytes;
  private volatile boolean cleared;

  /** Creates a space without extents. */
  public HeapMemory() {}

  /**
   * Adds an extent at the end of the space. Calls must not overlap, except {@link #clear}.
   *
   * @param extent {@value #EXTENT_SIZE} bytes, 8-byte aligned
   * @throws IllegalStateException after {@link #clear}, or if that is called meanwhile
   */
  public void addExtent(MemorySegment extent) {
    if (extent.byteSize() != EXTENT_SIZE) {
      throw new IllegalArgumentException(
          "an extent has " + EXTENT_SIZE + " bytes, not " + extent.byteSize());
    }
    checkNotCleared();
    int index = count;
    extents[index] = extent;
    count = index + 1;
    writableBytes = size();
    if (cleared) {
      clear(); // again: that of the other thread may have come before the extent
      checkNotCleared();
    }
  }

  private void checkNotCleared() {
    if (cleared) {
      throw new IllegalStateException("the engine of this memory is closed or has failed");
    }
  }

  /**
   * Sets how much of the space can be written. Calls must not overlap each other or those of {@link
   * #addExtent}.
   *
   * @param bytes from the start of the space; the last extent is in it at least in part
   */
  public void setWritableBytes(long bytes) {
    if (bytes > size() || bytes <= size() - EXTENT_SIZE) {
      throw new IllegalArgumentException(
          "a space of %d bytes with room for %d".formatted(size(), bytes));
    }
    writableBytes = bytes;
  }

  /**
   * Returns how much of the space can be written, in bytes. The last extent may have an end that
   * cannot: it reads as zeros until the space grows.
   */
  public long writableBytes() {
    return writableBytes;
  }

  /**
   * Checks that {@link #cut} can shrink the space to {@code size} bytes.
   *
   * @throws IllegalArgumentException if that is not a number of whole extents, from one to all
   */
  public void checkCut(long size) {
    if ((size & OFFSET_MASK) != 0 || size < EXTENT_SIZE || size > size()) {
      throw new IllegalArgumentException(
          "a space of %d bytes cannot shrink to %d: not a multiple of %d from one extent to all"
              .formatted(size(), size, EXTENT_SIZE));
    }
  }

  /**
   * Removes the extents at the end: every later access to them throws. Calls must not overlap each
   * other or those of {@link #addExtent}.
   *
   * @param size the bytes that stay; {@link #checkCut} accepts it
   */
  public void cut(long size) {
    checkCut(size);
    int before = count;
    count = (int) (size >>> EXTENT_SHIFT);
    writableBytes = Math.min(writableBytes, size());
    Arrays.fill(extents, count, before, null);
  }

  /**
   * Removes all extents, for good: every later access throws. For an engine that closes or has
   * failed.
   */
  public void clear() {
    cleared = true;
    int before = count;
    count = 0;
    writableBytes = 0;
    Arrays.fill(extents, 0, before, null);
  }

  /** Returns true if an address is a multiple of 8 inside the space. Any number is accepted. */
  public boolean hasWord(long address) {
    return (address & 7) == 0 && address >= 0 && address < size();
  }

  /** Returns the size of the space in bytes, a multiple of {@value #EXTENT_SIZE}. */
  public long size() {
    return (long) count << EXTENT_SHIFT;
  }

  /**
   * Returns bytes of one extent, for an engine's own use and for copies. The range ends in the
   * extent in which it starts.
   */
  public MemorySegment slice(long address, long length) {
    return segment(address).asSlice(address & OFFSET_MASK, length);
  }

  // An address outside the space has a null extent: the NullPointerException is the bounds check.
  @SuppressWarnings("NullAway")
  private MemorySegment segment(long address) {
    return extents[(int) (address >>> EXTENT_SHIFT)];
  }

  /** Reads a byte. */
  public byte getByte(long address) {
    return segment(address).get(JAVA_BYTE, address & OFFSET_MASK);
  }

  /** Reads a naturally aligned {@code short}. */
  public short getShort(long address) {
    return segment(address).get(SHORT, address & OFFSET_MASK);
  }

  /** Reads a naturally aligned {@code char}. */
  public char getChar(long address) {
    return segment(address).get(CHAR, address & OFFSET_MASK);
  }

  /** Reads a naturally aligned {@code int}. */
  public int getInt(long address) {
    return segment(address).get(INT, address & OFFSET_MASK);
  }

  /** Reads a naturally aligned {@code long}. */
  public long getLong(long address) {
    return segment(address).get(LONG, address & OFFSET_MASK);
  }

  /** Writes an 8-byte aligned {@code long}. Only engines write. */
  public void putLong(long address, long value) {
    segment(address).set(LONG, address & OFFSET_MASK, value);
  }

  /**
   * Writes words, each in one access, so that no reader sees half of one. Only engines write, and
   * only through this method and {@link #putLong}.
   *
   * @param address of the first word, 8-byte aligned
   * @param source the words, little-endian
   * @param offset of the first of them in the array
   * @param length in bytes, a multiple of 8
   */
  public void write(long address, byte[] source, int offset, int length) {
    for (int i = 0; i < length; i += 8) {
      putLong(address + i, (long) LittleEndian.LONG.get(source, offset + i));
    }
  }

  /**
   * Copies bytes out of the space.
   *
   * @param offset of the first byte in the target
   */
  public void read(long address, byte[] target, int offset, int length) {
    while (length > 0) {
      long inExtent = address & OFFSET_MASK;
      int n = (int) Math.min(length, EXTENT_SIZE - inExtent);
      MemorySegment.copy(segment(address), JAVA_BYTE, inExtent, target, offset, n);
      address += n;
      offset += n;
      length -= n;
    }
  }
}
