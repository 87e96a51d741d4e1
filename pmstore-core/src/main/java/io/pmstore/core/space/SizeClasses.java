package io.pmstore.core.space;

import java.util.Arrays;

/**
 * The sizes of slots: steps of 8 bytes up to 128, then eight steps per doubling, then the largest
 * sizes that give seven to one slots a chunk. Above 128 bytes a slot wastes at most an eighth, not
 * counting the chunk's remainder.
 */
public final class SizeClasses {
  /** The smallest slot, in bytes. */
  static final int SIZE_MIN = 16;

  private static final int ROOM = ExtentLayout.CHUNK_SIZE - ExtentLayout.SLOTS_OFFSET;

  /** The largest slot, in bytes; larger objects take runs of chunks. */
  static final int SIZE_MAX = ROOM;

  private static final int[] SIZES = sizes();
  private static final byte[] CLASS_OF_WORDS = classOfWords();

  /** The number of classes. */
  public static final int COUNT = SIZES.length;

  private SizeClasses() {}

  /** Returns the smallest class whose slots hold {@code size} bytes, at most {@link #SIZE_MAX}. */
  static int of(int size) {
    return CLASS_OF_WORDS[(size + 7) >>> 3];
  }

  /** Returns the slot size of a class, in bytes, a multiple of 8. */
  public static int size(int sizeClass) {
    return SIZES[sizeClass];
  }

  /** Returns the slots of a chunk of a class, 1 or more. */
  public static int slots(int sizeClass) {
    return ROOM / SIZES[sizeClass];
  }

  private static int[] sizes() {
    int[] sizes = new int[64];
    int n = 0;
    for (int size = SIZE_MIN; size <= 128; size += 8) {
      sizes[n++] = size;
    }
    for (int size = 128, step = 16; size < 2048; step <<= 1) {
      for (int i = 0; i < 8; i++) {
        size += step;
        sizes[n++] = size;
      }
    }
    for (int slots = 7; slots >= 1; slots--) {
      sizes[n++] = (ROOM / slots) & ~7;
    }
    return Arrays.copyOf(sizes, n);
  }

  private static byte[] classOfWords() {
    byte[] classes = new byte[(SIZE_MAX >>> 3) + 1];
    int sizeClass = 0;
    for (int words = 0; words < classes.length; words++) {
      while (SIZES[sizeClass] < words << 3) {
        sizeClass++;
      }
      classes[words] = (byte) sizeClass;
    }
    return classes;
  }
}
