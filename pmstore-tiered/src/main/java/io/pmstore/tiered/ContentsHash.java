package io.pmstore.tiered;

/** Computes the {@link StoreHeader.Contents} of a pool. */
final class ContentsHash {
  private long images;
  private long hash;

  /** Adds the newest image of a block. */
  void add(long block, int slot) {
    long mixed = (block << 31 ^ slot) * 0x9E3779B97F4A7C15L;
    hash += mixed ^ mixed >>> 29;
    images++;
  }

  StoreHeader.Contents contents() {
    return new StoreHeader.Contents(images, hash);
  }
}
