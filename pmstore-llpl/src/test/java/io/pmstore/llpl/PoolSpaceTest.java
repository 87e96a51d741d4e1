package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** How a growing pool is cut into parts, for pools larger than tests can make. */
class PoolSpaceTest {
  private static final long MIB = 1 << 20;
  private static final long ZONE = 65_530L * (256 << 10);

  @Test
  void partsEndWhereZonesEnd() {
    Random random = random();
    for (int i = 0; i < 2000; i++) {
      long asked =
          random.nextLong(
              PmStoreOptions.LLPL_POOL_SIZE_MIN, i % 2 == 0 ? PoolSpace.GROWING_MAX : 1000 * MIB);
      if (i % 4 == 0) { // about the end of a zone
        asked = (1 + i % 6) * ZONE + 3 * MIB + random.nextLong(-20 * MIB, 20 * MIB);
      }
      long most = PoolSpace.most(asked);
      assertTrue(most <= asked + 2 * PoolSpace.PAGE && most > asked - 16 * MIB, "most " + asked);
      long size = PoolSpace.first(most);
      int parts = 1;
      while (size < most) {
        long wanted = random.nextInt(10) == 0 ? size + random.nextLong(20_000 * MIB) : size + 1;
        long next = PoolSpace.next(size, Math.min(wanted, most), most);
        String what = "%d of %d, %d wanted: %d".formatted(size, most, wanted, next);
        assertEquals(0, next % PoolSpace.PAGE, what);
        assertTrue(next <= most && next - size >= 16 * MIB, what);
        long zones = zones(size);
        if (zones(next) != zones) {
          assertEquals(zones + 1, zones(next), what);
          assertTrue(size - zones * ZONE - 0x302000 - 1024 < PoolSpace.PAGE, what);
        }
        size = next;
        parts++;
      }
      assertTrue(parts < 150, parts + " parts for " + most);
    }
  }

  private static Random random() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("PoolSpaceTest: -Dpmstore.seed=" + seed);
    return new Random(seed);
  }

  private static long zones(long size) {
    long heap = size - 0x302000 - 1024;
    return heap / ZONE + (heap % ZONE >= 3 * (256 << 10) ? 1 : 0);
  }

  @Test
  void theLargestPoolHasRoomForAllThatItPromises() {
    Random random = random();
    for (int i = 0; i < 2000; i++) {
      long most =
          PoolSpace.most(random.nextLong(PmStoreOptions.LLPL_POOL_SIZE_MIN, PoolSpace.GROWING_MAX));
      PoolSpace space = PoolSpace.of(most);
      long wanted = PoolSpace.sizeFor(space.extentsMax(), space.undoMax());
      assertTrue(wanted <= most + MIB, most + " and not " + wanted);
      assertTrue(PoolSpace.first(most) >= PoolSpace.sizeFor(1, 0), "the first extent fits");
      int extents = random.nextInt(1, space.extentsMax() + 1);
      assertTrue(PoolSpace.of(PoolSpace.sizeFor(extents, 0)).extentsMax() <= extents);
      long taken = (4 + 2) * MIB + extents * 65L * (256 << 10); // front and small things too
      assertTrue(PoolSpace.sizeFor(extents, 0) >= taken + 4 * MIB, "room for the undo log");
      long undo = random.nextLong(3 * MIB, 1000 * MIB);
      assertTrue(PoolSpace.sizeFor(extents, undo) >= taken + undo / 3 * 4, "and for a large one");
    }
  }
}
