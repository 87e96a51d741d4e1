package io.pmstore.model.lookup;

import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.memory.Ring;
import io.pmstore.model.shared.LookupTable;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Measures look-ups and the bare memory in turns, some milliseconds each. The reads of the memory
 * take the caches; look-ups that are not measured fill them again. On a shared machine the memory
 * is faster and slower within minutes, and the levels of a profile are of another minute.
 */
final class SideBySide {
  private static final int SLICE = 2_000; // look-ups, or reads
  private static final int SLICES = 12; // of look-ups in a turn
  private static final int READS = 6; // slices of reads in a turn
  private static final int TURNS = 40;
  private static final int WARM_UP = 200_000;

  /** So many look-ups fill the caches again, with some lines each. */
  private static final long REFILL_MAX = 100_000;

  private static final int ROUNDS_MIN = 4;
  private static final int ROUNDS_MAX = 20;
  private static final double STEADY = 0.98;
  private static final double BEST = 0.25; // of a turn: the others were interrupted

  private final ProbedMemory.Chase reads;

  /**
   * What was measured.
   *
   * @param lookup ns of a look-up: the median of the turns
   * @param mean ns of a look-up: of all
   * @param read ns of a dependent read in the region: the median of the turns
   */
  record Result(double lookup, double mean, double read) {}

  /**
   * Prepares.
   *
   * @param region of the reads in bytes
   */
  SideBySide(ProbedMemory memory, long region) {
    reads = memory.chase(new Ring(region, 64, region), 1);
    reads.run(WARM_UP);
  }

  Result measure(LookupTable table, long size) {
    SplittableRandom random = new SplittableRandom(size);
    warmUp(table, size, random);
    double[] lookups = new double[TURNS];
    double[] memory = new double[TURNS];
    double all = 0;
    int refill = (int) Math.min(2 * size, REFILL_MAX);
    for (int turn = 0; turn < TURNS; turn++) {
      double[] slices = new double[SLICES];
      lookUp(table, size, random, refill);
      for (int i = 0; i < SLICES; i++) {
        slices[i] = lookUp(table, size, random, SLICE);
        all += slices[i];
      }
      lookups[turn] = quantile(slices, BEST);
      double[] chased = new double[READS];
      for (int i = 0; i < READS; i++) {
        chased[i] = reads.run(SLICE) / SLICE;
      }
      memory[turn] = quantile(chased, BEST);
    }
    return new Result(quantile(lookups, 0.5), all / TURNS / SLICES, quantile(memory, 0.5));
  }

  /** Until the code is compiled: two rounds after each other take the same time. */
  private static void warmUp(LookupTable table, long size, SplittableRandom random) {
    double before = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      double nanos = lookUp(table, size, random, WARM_UP);
      if (round >= ROUNDS_MIN && nanos > STEADY * before) {
        return;
      }
      before = Math.min(before, nanos);
    }
  }

  /** Returns the time of a look-up in ns. */
  private static double lookUp(LookupTable table, long size, SplittableRandom random, int count) {
    long checked = 0;
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      checked += table.get(random.nextLong(size));
    }
    double nanos = (double) (System.nanoTime() - began) / count;
    if (checked <= 0) {
      throw new IllegalStateException("values are positive, and their sum is " + checked);
    }
    return nanos;
  }

  private static double quantile(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (part * (sorted.length - 1))];
  }
}
