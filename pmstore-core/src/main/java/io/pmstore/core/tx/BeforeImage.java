package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an object, or a word with a delta, was before a commit changed it.
 *
 * <p>The words of an object's image are the committed ones, but for its counters: those have images
 * of their own, and locks of their own too, so that the object's image may hold either value.
 */
final class BeforeImage {
  /** The position of a commit that is under way. It is larger than that of any snapshot. */
  static final long PENDING = Long.MAX_VALUE;

  /** The position of a commit that failed. */
  static final long VOID = 0;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long address;
  private final int count; // of words
  // The words, then a bit for each of them that was changed since; the bits are guarded by the map.
  private final long[] words;
  private volatile long position = PENDING;
  private volatile @Nullable BeforeImage older;
  private @Nullable BeforeImage next;

  /**
   * Copies the words, none of which but counters change meanwhile.
   *
   * @param older the image that an earlier commit kept, or null
   */
  BeforeImage(HeapMemory memory, long address, int size, @Nullable BeforeImage older) {
    this.address = address;
    this.count = size >>> 3;
    this.older = older;
    this.words = new long[count + ((count + 63) >>> 6)];
    for (int i = 0; i < count; i++) {
      words[i] = memory.getLong(address + ((long) i << 3));
    }
  }

  long address() {
    return address;
  }

  /** The position of the commit that the image was kept from. */
  long position() {
    return position;
  }

  void setPosition(long position) {
    this.position = position;
  }

  /** The image kept by the last commit before that still has one. */
  @Nullable BeforeImage older() {
    return older;
  }

  void setOlder(@Nullable BeforeImage older) {
    this.older = older;
  }

  /** The next image in the list of the snapshot that owns this one. */
  @Nullable BeforeImage next() {
    return next;
  }

  void setNext(@Nullable BeforeImage next) {
    this.next = next;
  }

  /** The word at an offset in bytes. */
  long word(int offset) {
    return words[Objects.checkIndex(offset >>> 3, count)];
  }

  /** Copies bytes. */
  void read(int offset, byte[] target, int length) {
    for (int i = 0; i < length; i++) {
      target[i] = (byte) (word(offset + i) >>> ((offset + i) << 3));
    }
  }

  /** Notes that a word was changed. */
  void addChanged(int word) {
    words[count + (word >>> 6)] |= 1L << word;
  }

  /** Notes that all that changed according to an image of the same object was changed. */
  void addChanged(BeforeImage other) {
    for (int i = count; i < words.length; i++) {
      words[i] |= other.words[i];
    }
  }

  /** Puts the words that were changed into a copy of the bytes from an address on. */
  void overlay(byte[] copy, long start) {
    int at = (int) (address - start);
    for (int i = 0; i < count; i++) {
      if ((words[count + (i >>> 6)] & 1L << i) != 0) {
        LONG.set(copy, at + (i << 3), words[i]);
      }
    }
  }
}
