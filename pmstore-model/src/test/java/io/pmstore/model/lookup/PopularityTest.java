package io.pmstore.model.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.model.profile.Level;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The misses that follow from counts are those of a simulated cache. */
class PopularityTest {
  private static final int KEYS = 20_000;
  private static final long FIRST = 1 << 22;

  /** A look-up of a tree: its root, one of 64 nodes, and the key's own lines. */
  private static void lookup(LineAccesses accesses, int key) {
    accesses.begin();
    accesses.read(0, 8);
    accesses.read(4096 + 512L * (key % 64), 8);
    accesses.read(FIRST + 256L * key, 100);
  }

  @Test
  void countsAndSimulationAgree() {
    for (long bytes : List.of(1L << 14, 1L << 17, 1L << 20)) {
      Level cache = new Level("cache", Level.Kind.CACHE, bytes, 1);
      Level tlb = new Level("TLB", Level.Kind.TLB, bytes * 4, 1);
      SimulatedMisses simulated = new SimulatedMisses(List.of(cache, tlb));
      SplittableRandom random = new SplittableRandom(bytes);
      for (int i = 0; i < 100_000; i++) {
        lookup(simulated, random.nextInt(KEYS));
      }
      simulated.count();
      for (int i = 0; i < 100_000; i++) {
        lookup(simulated, random.nextInt(KEYS));
      }
      Popularity counted = new Popularity(FIRST + 256L * KEYS, 0);
      for (int key = 0; key < KEYS; key++) {
        lookup(counted, key);
      }
      assertEquals(3.0, (double) counted.waits() / KEYS, "the second line of an object is free");
      assertEquals(3.0, simulated.waits() / 100_000.0);
      assertEquals(simulated.misses()[0] / 1e5, counted.misses(cache, KEYS), 0.06);
      assertEquals(simulated.misses()[1] / 1e5, counted.misses(tlb, KEYS), 0.06);
    }
  }
}
