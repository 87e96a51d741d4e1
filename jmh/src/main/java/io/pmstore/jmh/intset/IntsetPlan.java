package io.pmstore.jmh.intset;

import io.pmstore.jmh.suite.Scale;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How long is measured.
 *
 * @param firstWarmUp before the first size, until the code is compiled
 * @param warmUp before the samples of each size
 * @param samples how many of each size
 * @param sample how long each takes
 * @param bitsMax the largest size is 2 to this power, or the structure's own
 * @param bitsStep what lies between the powers of two
 */
record IntsetPlan(
    Duration firstWarmUp,
    Duration warmUp,
    int samples,
    Duration sample,
    int bitsMax,
    int bitsStep) {
  private static final int BITS_MIN = 4;

  static IntsetPlan of(Scale scale) {
    return switch (scale) {
      case SMOKE -> new IntsetPlan(Duration.ZERO, Duration.ZERO, 2, Duration.ofMillis(1), 4, 1);
      case QUICK ->
          new IntsetPlan(
              Duration.ofMillis(500), Duration.ofMillis(200), 5, Duration.ofMillis(100), 16, 2);
      case FULL ->
          new IntsetPlan(
              Duration.ofSeconds(5), Duration.ofSeconds(1), 10, Duration.ofSeconds(1), 16, 1);
    };
  }

  /** The sizes of a structure, as powers of two, the smallest first. */
  List<Integer> bits(Structure structure) {
    return IntStream.iterate(BITS_MIN, bits -> bits + bitsStep)
        .takeWhile(bits -> bits <= Math.min(bitsMax, structure.bitsMax()))
        .boxed()
        .toList();
  }
}
