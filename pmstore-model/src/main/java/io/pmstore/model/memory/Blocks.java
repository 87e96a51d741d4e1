package io.pmstore.model.memory;

import java.util.SplittableRandom;

/** The offsets of the blocks of a stream, one after the other, without end. */
final class Blocks {
  private static final int STRIDE = 8; // blocks

  private final ProbedMemory.Stream stream;
  private final long blocks;
  private final SplittableRandom random;
  private long at;

  /**
   * Begins.
   *
   * @param part how many bytes the offsets are in, a block at least
   */
  Blocks(ProbedMemory.Stream stream, long part, long seed) {
    this.stream = stream;
    this.blocks = part / stream.blockBytes();
    this.random = new SplittableRandom(seed);
    if (blocks < 1) {
      throw new IllegalArgumentException(
          "%d bytes have no room for a block of %d".formatted(part, stream.blockBytes()));
    }
  }

  long next() {
    long block = at;
    switch (stream.pattern()) {
      case SEQUENTIAL -> at = (at + 1) % blocks;
      case STRIDED -> {
        at += STRIDE;
        if (at >= blocks) {
          at = (at + 1) % STRIDE % blocks;
        }
      }
      case RANDOM -> at = random.nextLong(blocks);
    }
    return block * stream.blockBytes();
  }
}
