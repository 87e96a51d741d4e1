package io.pmstore.jmh.intset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import java.nio.file.Path;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each structure does what a {@link TreeSet} does: as a plain object, and kept and reopened. */
final class IntSetTest {
  private static final int KEYS = 300;

  @TempDir Path directory;

  private final TreeSet<Long> model = new TreeSet<>();

  private static Random random() {
    Long given = Long.getLong("pmstore.seed");
    long seed = given != null ? given : System.nanoTime();
    System.out.println("IntSetTest: replay with -Dpmstore.seed=" + seed);
    return new Random(seed);
  }

  private void change(IntSet set, Random random) {
    int growing = random.nextInt(11);
    for (int i = 0; i < 300; i++) {
      long key = random.nextInt(KEYS);
      if (random.nextInt(10) < growing) {
        assertEquals(model.add(key), set.add(key), "add " + key);
      } else {
        assertEquals(model.remove(key), set.remove(key), "remove " + key);
      }
    }
    for (long key = 0; key < KEYS; key++) {
      assertEquals(model.contains(key), set.contains(key), "contains " + key);
    }
  }

  @ParameterizedTest
  @EnumSource(Structure.class)
  void plainIsATreeSet(Structure structure) {
    Random random = random();
    IntSet set = structure.create(16);
    for (int round = 0; round < 50; round++) {
      change(set, random);
    }
  }

  @ParameterizedTest
  @EnumSource(Structure.class)
  void keptIsATreeSet(Structure structure) {
    Random random = random();
    for (int opening = 0; opening < 4; opening++) {
      try (KeptSet set = new KeptSet(Storage.FILE, directory, structure.create(16))) {
        if (opening == 0) {
          long[] keys = Mix.keys(128, new java.util.SplittableRandom(random.nextLong()));
          set.fill(keys);
          for (long key : keys) {
            model.add(key);
          }
        }
        change(set, random);
      }
    }
  }

  @Test
  void levelsAreGeometricallyDistributed() {
    int[] count = new int[21];
    for (long key = 0; key < 100_000; key++) {
      count[SkipList.levels(key)]++;
    }
    for (int level = 1; level < 5; level++) {
      double share = count[level + 1] / (double) count[level];
      assertTrue(share > 0.2 && share < 0.3, "level " + (level + 1) + ": " + share);
    }
  }
}
