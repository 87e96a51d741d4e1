package io.pmstore.gc.model;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;

/** The memory of a long run: what it takes after a while must stay constant. */
final class Footprint {
  /** How much more it may be at the end, in bytes: an extent of the heap. */
  private static final long MORE_MAX = 16 << 20;

  private long diskAtFirst;
  private long disk;
  private long javaHeapAtFirst = Long.MAX_VALUE;
  private long javaHeap = Long.MAX_VALUE;

  /**
   * Notes what is taken now.
   *
   * @param bytesOnDisk the size of the files
   * @param isWarm false while it may still grow
   */
  void note(long bytesOnDisk, boolean isWarm) {
    System.gc();
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    if (isWarm) {
      disk = bytesOnDisk;
      javaHeap = Math.min(javaHeap, used);
    } else {
      diskAtFirst = Math.max(diskAtFirst, bytesOnDisk);
      javaHeapAtFirst = used;
    }
  }

  /** Throws if more was taken at the end than in the beginning. */
  void check() {
    System.out.println(this);
    assertTrue(disk <= diskAtFirst + MORE_MAX, this::toString);
    assertTrue(javaHeap <= javaHeapAtFirst + MORE_MAX, this::toString);
  }

  @Override
  public String toString() {
    return "%,d bytes of files, first %,d; %,d bytes of Java's heap, first %,d"
        .formatted(disk, diskAtFirst, javaHeap, javaHeapAtFirst);
  }
}
