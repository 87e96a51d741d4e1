package io.pmstore.model.memory;

import java.util.SplittableRandom;

/**
 * A way through all blocks of a region, in random order, that ends where it began (Sattolo 1986):
 * neither a prefetcher nor the program knows the next block before it has read this one.
 */
public final class Ring {
  private static final int LINE = 64;

  private final int stride;
  private final int[] next;

  /**
   * Draws a way.
   *
   * @param region in bytes, at least one block
   * @param stride the size of a block in bytes, a multiple of 64
   * @param seed of the order
   */
  public Ring(long region, int stride, long seed) {
    if (stride < LINE || stride % LINE != 0 || region < stride) {
      throw new IllegalArgumentException(
          "a region of %d bytes in blocks of %d".formatted(region, stride));
    }
    this.stride = stride;
    int blocks = Math.toIntExact(region / stride);
    int[] order = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      order[i] = i;
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = blocks - 1; i > 0; i--) {
      int j = random.nextInt(i);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    next = order; // a permutation with one cycle: block i is followed by order[i]
  }

  /** Returns how many blocks there are. */
  public int blocks() {
    return next.length;
  }

  /**
   * Returns the offset of a block's line in the region. Large blocks use different lines, so that
   * they do not meet in one set of a cache.
   */
  public long offset(int block) {
    int lines = stride / LINE;
    return (long) block * stride
        + (lines == 1 ? 0 : (long) LINE * (((block * 0x9E3779B9) >>> 16) % lines));
  }

  /** Returns the block after a block. */
  public int next(int block) {
    return next[block];
  }

  /** Returns blocks that are far from each other on the way. */
  public int[] starts(int count) {
    int[] starts = new int[count];
    int apart = Math.max(1, next.length / count);
    int at = 0;
    for (int i = 0; i < count; i++) {
      starts[i] = at;
      for (int step = 0; step < apart; step++) {
        at = next[at];
      }
    }
    return starts;
  }
}
