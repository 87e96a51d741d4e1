package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

class StretchesTest {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;
  private static final long SIZE = 4 * EXTENT;

  private final Stretches stretches = new Stretches();

  private static WriteSet ranges(long... addressesAndSizes) {
    WriteSet writes = new WriteSet();
    for (int i = 0; i < addressesAndSizes.length; i += 2) {
      int size = (int) addressesAndSizes[i + 1];
      writes.put(addressesAndSizes[i], new byte[size], 0, size);
    }
    return writes;
  }

  private void find(WriteSet writes, int gapMax) {
    stretches.clear();
    writes.forEachRange((address, source, offset, length) -> stretches.add(address, length, SIZE));
    stretches.join(gapMax);
  }

  private List<String> found(WriteSet writes) {
    find(writes, 24);
    List<String> found = new ArrayList<>();
    for (int i = 0; i < stretches.count(); i++) {
      found.add(stretches.extent(i) + ":" + stretches.offset(i) + "+" + stretches.length(i));
    }
    return found;
  }

  @Test
  void nothingHasNone() {
    assertEquals(List.of(), found(new WriteSet()));
  }

  @Test
  void rangesThatTouchOrNearlyTouchAreOne() {
    assertEquals(List.of("0:8192+24"), found(ranges(8200, 16, 8192, 8)));
    assertEquals(List.of("0:8192+40"), found(ranges(8192, 8, 8224, 8)));
    assertEquals(List.of("0:8192+8", "0:8232+8"), found(ranges(8232, 8, 8192, 8)));
  }

  @Test
  void aStretchIsInOneExtent() {
    assertEquals(
        List.of("0:16777208+8", "1:0+16777216", "2:0+8"), found(ranges(EXTENT - 8, EXTENT + 16)));
    assertEquals(List.of("0:16777208+8", "1:0+8"), found(ranges(EXTENT, 8, EXTENT - 8, 8)));
    assertEquals(List.of("3:16777208+8"), found(ranges(SIZE - 8, 8)));
  }

  @Test
  void whatIsOutsideTheSpaceIsRefused() {
    for (long address : new long[] {0, Engine.RESERVED - 8, SIZE - 8, SIZE, 1L << 50, -16}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> find(ranges(Engine.RESERVED, 8, address, 16), 24),
          "at " + address);
    }
  }

  @Test
  void randomWriteSetsAreCoveredAndNotMuchMore() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("StretchesTest: -Dpmstore.seed=" + seed);
    Random random = new Random(seed);
    try (MemoryEngine zeros = new MemoryEngine()) {
      zeros.grow(SIZE);
      for (int round = 0; round < 3000; round++) {
        WriteSet writes = new WriteSet();
        BitSet touched = new BitSet();
        fill(writes, touched, random);
        long bound = new PendingCommit(writes).undo(); // the deltas as such
        writes.resolve(zeros.memory());
        find(writes, 24);
        check(touched, 24);
        assertTrue(undo() <= bound, undo() + " bytes of undo log, not " + bound + " at most");
        int gapMax = 8 * random.nextInt(40);
        find(writes, gapMax);
        check(touched, gapMax);
      }
    }
  }

  private static void fill(WriteSet writes, BitSet touched, Random random) {
    long base = random.nextInt(3) == 0 ? EXTENT - 1000 : Engine.RESERVED;
    int count = 1 + random.nextInt(60);
    for (int i = 0; i < count; i++) {
      long address = base + 8L * random.nextInt(400);
      int size = 8 * (1 + random.nextInt(12));
      writes.put(address, new byte[size], 0, size);
      touched.set((int) (address >>> 3), (int) ((address + size) >>> 3));
    }
    for (int i = random.nextInt(5); i > 0; i--) {
      long address = base + 8L * (500 + random.nextInt(50));
      writes.add(address, 1);
      touched.set((int) (address >>> 3));
    }
  }

  private long undo() {
    long undo = 0;
    for (int i = 0; i < stretches.count(); i++) {
      undo += PoolSpace.snapshotSize(stretches.length(i));
    }
    return undo;
  }

  private void check(BitSet touched, int gapMax) {
    BitSet covered = new BitSet();
    assertEquals(undo(), stretches.undoSize(gapMax));
    for (int i = 0; i < stretches.count(); i++) {
      assertTrue(stretches.offset(i) + stretches.length(i) <= EXTENT);
      int first = (int) ((stretches.extent(i) * EXTENT + stretches.offset(i)) >>> 3);
      int end = first + (int) (stretches.length(i) >>> 3);
      assertTrue(covered.length() <= first, "in order, and none twice");
      assertTrue(touched.get(first) && touched.get(end - 1), "from a touched word to one");
      for (int word = first; word < end; word++) {
        assertTrue(touched.nextSetBit(word) - word <= gapMax / 8, "no wide gaps");
      }
      covered.set(first, end);
    }
    BitSet missed = (BitSet) touched.clone();
    missed.andNot(covered);
    assertTrue(missed.isEmpty(), () -> "not covered: words " + missed);
  }
}
