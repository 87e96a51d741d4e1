package io.pmstore.core.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a heap, as memory: a row of extents of {@value #EXTENT_SIZE} bytes each, addressed
 * as one space.
 *
 * <pre>
 *   address   63..40   39 ......... 24   23 .......... 0
 *             zero     extent number     offset in extent
 * </pre>
 *
 * <p>Multi-byte values are little-endian. A value that is naturally aligned lies in one extent and
 * is read and written in one access; byte ranges may cross extents. An address outside the space
 * throws one of the JVM's own bounds exceptions, which {@code Heap} explains to its callers; an
 * engine that shrinks, is closed or has failed takes extents away, with the same effect.
 *
 * <p>Reads may run on any number of threads beside the writes of an engine's apply; ordering
 * between them is the business of the transactions above.
 */
public final class HeapMemory {
  /** Binary logarithm of the size of an extent. */
  public static final int EXTENT_SHIFT = 24;

  /** The size of an extent, in bytes: 16 MiB. */
  public static final long EXTENT_SIZE = 1L << EXTENT_SHIFT;

  /** How many extents a heap can have: 1 TiB. */
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

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  // Never replaced, so that the way of a getter has one load less and no stale copy can be read.
  private final @Nullable MemorySegment[] extents = new MemorySegment[EXTENTS_MAX];
  private volatile int count;

  /**
   * Adds the next extent at the end of the space. Calls must not overlap.
   *
   * @param extent {@value #EXTENT_SIZE} bytes, 8-byte aligned
   */
  public void addExtent(MemorySegment extent) {
    if (extent.byteSize() != EXTENT_SIZE) {
      throw new IllegalArgumentException(
          "an extent has " + EXTENT_SIZE + " bytes, not " + extent.byteSize());
    }
    int index = count;
    extents[index] = extent;
    count = index + 1;
  }

  /**
   * Refuses what {@link #cut} cannot do.
   *
   * @param size the bytes wanted
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
   * Takes the extents at the end away: every later access there throws. Calls must not overlap each
   * other or those of {@link #addExtent}.
   *
   * @param size the bytes that stay; {@link #checkCut} accepts it
   */
  public void cut(long size) {
    checkCut(size);
    int before = count;
    count = (int) (size >>> EXTENT_SHIFT);
    Arrays.fill(extents, count, before, null);
  }

  /** Takes all extents away: every later access throws. For an engine that closes or has failed. */
  public void clear() {
    count = 0;
    Arrays.fill(extents, null);
  }

  /**
   * The size of the space.
   *
   * @return its bytes, a multiple of {@value #EXTENT_SIZE}
   */
  public long size() {
    return (long) count << EXTENT_SHIFT;
  }

  /**
   * Bytes of one extent, for an engine's own use and for copies.
   *
   * @param address of the first byte
   * @param length how many; they end in the extent that they start in
   * @return the bytes
   */
  public MemorySegment slice(long address, long length) {
    return segment(address).asSlice(address & OFFSET_MASK, length);
  }

  // A null extent is an address outside the space: its NullPointerException is the check.
  @SuppressWarnings("NullAway")
  private MemorySegment segment(long address) {
    return extents[(int) (address >>> EXTENT_SHIFT)];
  }

  /**
   * Reads a byte.
   *
   * @param address where
   * @return the value
   */
  public byte getByte(long address) {
    return segment(address).get(JAVA_BYTE, address & OFFSET_MASK);
  }

  /**
   * Reads a {@code short}.
   *
   * @param address where, naturally aligned
   * @return the value
   */
  public short getShort(long address) {
    return segment(address).get(SHORT, address & OFFSET_MASK);
  }

  /**
   * Reads a {@code char}.
   *
   * @param address where, naturally aligned
   * @return the value
   */
  public char getChar(long address) {
    return segment(address).get(CHAR, address & OFFSET_MASK);
  }

  /**
   * Reads a {@code int}.
   *
   * @param address where, naturally aligned
   * @return the value
   */
  public int getInt(long address) {
    return segment(address).get(INT, address & OFFSET_MASK);
  }

  /**
   * Reads a {@code long}.
   *
   * @param address where, naturally aligned
   * @return the value
   */
  public long getLong(long address) {
    return segment(address).get(LONG, address & OFFSET_MASK);
  }

  /**
   * Writes a {@code long}. Only engines write.
   *
   * @param address where, 8-byte aligned
   * @param value the value
   */
  public void putLong(long address, long value) {
    segment(address).set(LONG, address & OFFSET_MASK, value);
  }

  /**
   * Writes words, each in one access, so that no reader sees half of one. Only engines write: this
   * is their one gate to the heap.
   *
   * @param address of the first word, 8-byte aligned
   * @param source the array with the words, little-endian
   * @param offset of the first of them in the array
   * @param length in bytes, a multiple of 8
   */
  public void write(long address, byte[] source, int offset, int length) {
    for (int i = 0; i < length; i += 8) {
      putLong(address + i, (long) WORD.get(source, offset + i));
    }
  }

  /**
   * Copies bytes out of the space.
   *
   * @param address of the first byte
   * @param target where the bytes go
   * @param offset of the first byte in the target
   * @param length how many, 0 or more
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
