package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The before-image of an object, or of one word with a delta: the committed words from before a
 * commit changed them. The commit makes it while it holds the lock of the address; {@link
 * BeforeImages} keeps it as long as an open snapshot needs it.
 *
 * <p>A counter has a lock and before-images of its own, so the before-image of its object may hold
 * the old value of the counter or the new one. Only a <i>whole</i> image, left by an object that a
 * record from outside has freed, has the counters of its time.
 */
final class BeforeImage {
  /** The position of an image whose commit is under way. Larger than every snapshot's. */
  static final long PENDING = Long.MAX_VALUE;

  /** The position of an image whose commit has failed. No snapshot uses the image. */
  static final long VOID = 0;

  /** Marks the list of a closed snapshot: nothing can be added to it. */
  static final BeforeImage SEALED = new BeforeImage();

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final long address;
  private final int count; // of words
  private final boolean whole;
  // The words, then a bit for each that a commit changed. The chain's lock guards the bits.
  private final long[] words;
  private volatile long position = PENDING;
  private volatile @Nullable BeforeImage older;
  private @Nullable BeforeImage next;

  /**
   * Copies the words. Only counters can change meanwhile, because the caller holds the lock.
   *
   * @param older the image that an earlier commit kept, or null
   */
  BeforeImage(
      HeapMemory memory, long address, int size, boolean whole, @Nullable BeforeImage older) {
    this.address = address;
    this.whole = whole;
    this.count = size >>> 3;
    this.older = older;
    this.words = new long[count + ((count + 63) >>> 6)];
    for (int i = 0; i < count; i++) {
      words[i] = memory.getLong(address + ((long) i << 3));
    }
  }

  private BeforeImage() {
    this.address = 0;
    this.count = 0;
    this.whole = false;
    this.words = new long[0];
  }

  long address() {
    return address;
  }

  /** Returns the bytes that the image takes in the Java heap, estimated. */
  long bytes() {
    return (long) Long.BYTES * count + JavaHeap.BYTES_PER_OBJECT;
  }

  /** Returns true if the counters of the object are in the image too. */
  boolean isWhole() {
    return whole;
  }

  /** Returns the position of the commit that changed the words. */
  long position() {
    return position;
  }

  void setPosition(long position) {
    this.position = position;
  }

  /** Returns the next older image of the same address, or null. */
  @Nullable BeforeImage older() {
    return older;
  }

  void setOlder(@Nullable BeforeImage older) {
    this.older = older;
  }

  /** Returns the next image in the list of the snapshot that owns this one. */
  @Nullable BeforeImage next() {
    return next;
  }

  void setNext(@Nullable BeforeImage next) {
    this.next = next;
  }

  /** Returns the word at an offset in bytes. */
  long word(int offset) {
    return words[Objects.checkIndex(offset >>> 3, count)];
  }

  void read(int offset, byte[] target, int length) {
    for (int i = 0; i < length; i++) {
      target[i] = (byte) (word(offset + i) >>> ((offset + i) << 3));
    }
  }

  /**
   * Marks words as changed. Those behind the object are skipped: in a replica an object that was
   * freed may have been followed by a larger one.
   */
  void addChanged(int first, int number) {
    int end = Math.min(count, first + number);
    for (int word = first; word < end; word++) {
      words[count + (word >>> 6)] |= 1L << word;
    }
  }

  /** Marks the words as changed that are marked in another image of the same object. */
  void addChanged(BeforeImage other) {
    int bits = Math.min(words.length - count, other.words.length - other.count);
    for (int i = 0; i < bits; i++) {
      words[count + i] |= other.words[other.count + i];
    }
  }

  /** Returns a copy of the marks of changed words, a bit for each. */
  long[] changed() {
    return Arrays.copyOfRange(words, count, words.length);
  }

  /** Writes the words with a mark into a copy of the heap from address {@code start} on. */
  void overlay(MemorySegment copy, long start, long[] marks) {
    for (int i = 0; i < count; i++) {
      if ((marks[i >>> 6] & 1L << i) != 0) {
        copy.set(WORD, address - start + ((long) i << 3), words[i]);
      }
    }
  }
}
