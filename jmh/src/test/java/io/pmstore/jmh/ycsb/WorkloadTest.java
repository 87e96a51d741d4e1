package io.pmstore.jmh.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.workload.TestSeed;
import io.pmstore.jmh.ycsb.generators.Chooser;
import io.pmstore.jmh.ycsb.generators.Latest;
import io.pmstore.jmh.ycsb.generators.ScrambledZipfian;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workloads are mixed as they are published. */
final class WorkloadTest {
  private static final int DRAWS = 200_000;

  @ParameterizedTest
  @CsvSource({
    // read, update, insert, scan, read-modify-write, replace
    "A, zipfian, 50, 50, 0, 0, 0, 0",
    "B, zipfian, 95, 5, 0, 0, 0, 0",
    "C, zipfian, 100, 0, 0, 0, 0, 0",
    "D, latest, 95, 0, 5, 0, 0, 0",
    "E, zipfian, 0, 0, 5, 95, 0, 0",
    "F, zipfian, 50, 0, 0, 0, 50, 0",
    "UPDATE_ZIPFIAN, zipfian, 0, 100, 0, 0, 0, 0",
    "UPDATE_LATEST, latest, 0, 100, 0, 0, 0, 0",
    "INSERT_ZIPFIAN, zipfian, 0, 50, 50, 0, 0, 0",
    "INSERT_LATEST, latest, 0, 50, 50, 0, 0, 0",
    "REPLACE_ZIPFIAN, zipfian, 0, 0, 0, 0, 0, 100",
    "REPLACE_LATEST, latest, 0, 0, 0, 0, 0, 100"
  })
  void isMixedAsPublished(
      Workload workload,
      String distribution,
      int read,
      int update,
      int insert,
      int scan,
      int rmw,
      int replace) {
    SplittableRandom random = new SplittableRandom(TestSeed.next("WorkloadTest"));
    assertEquals(
        distribution.equals("latest") ? Latest.class : ScrambledZipfian.class,
        workload.newChooser(100).getClass());
    int[] counts = new int[OperationKind.values().length];
    for (int i = 0; i < DRAWS; i++) {
      counts[workload.next(random).ordinal()]++;
    }
    int[] percent = {read, update, insert, scan, rmw, replace};
    assertEquals(100, Arrays.stream(percent).sum());
    for (int kind = 0; kind < counts.length; kind++) {
      double p = percent[kind] / 100.0;
      double sigma = Math.sqrt(DRAWS * p * (1 - p));
      assertTrue(
          Math.abs(counts[kind] - DRAWS * p) <= 6 * sigma,
          () -> workload + ": " + Arrays.toString(counts));
    }
  }

  /** Where a workload inserts, what it inserts becomes part of what it chooses from. */
  @ParameterizedTest
  @CsvSource({"A, 100", "B, 100", "C, 100", "F, 100", "E, 200", "INSERT_ZIPFIAN, 200"})
  void choosesFromWhatThereWillBe(Workload workload, long items) {
    SplittableRandom random = new SplittableRandom(TestSeed.next("WorkloadTest"));
    Chooser chooser = workload.newChooser(100);
    BitSet chosen = new BitSet();
    for (int i = 0; i < DRAWS; i++) {
      chosen.set((int) chooser.next(random, 100));
    }
    assertEquals(items, chosen.cardinality());
    assertEquals(items, chosen.length());
  }
}
