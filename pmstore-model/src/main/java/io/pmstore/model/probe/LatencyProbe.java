package io.pmstore.model.probe;

import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.memory.Ring;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures latencies over growing regions. */
final class LatencyProbe {
  private static final int LINE = 64;
  private static final long SMALLEST = 4 << 10;
  private static final int SMALLEST_BLOCKS = 8;
  private static final double PER_OCTAVE = 2;
  private static final double SAMPLE_NANOS = 1e6;
  private static final double WRITE_SAMPLE_NANOS = 3e6;
  private static final double WARM_UP_NANOS = 3e8;
  private static final long SEED = 2020;

  private final ProbedMemory memory;
  private final Sampling sampling;

  LatencyProbe(ProbedMemory memory, Sampling sampling) {
    this.memory = memory;
    this.sampling = sampling;
  }

  /** Has the code compiled before the first point, which would be too slow otherwise. */
  void warmUp() {
    for (int chains : List.of(1, 2)) {
      ProbedMemory.Chase chase = memory.chase(new Ring(SMALLEST, LINE, SEED), chains);
      for (double nanos = 0; nanos < WARM_UP_NANOS; ) {
        nanos += chase.run(1 << 14);
      }
    }
  }

  private List<Long> regions(int stride) {
    List<Long> regions = new ArrayList<>();
    double size = Math.max(SMALLEST, (double) SMALLEST_BLOCKS * stride);
    for (; size <= memory.bytes(); size *= Math.pow(2, 1 / PER_OCTAVE)) {
      regions.add(Math.round(size / stride) * stride);
    }
    return regions;
  }

  Series reads(String name, int stride) throws IOException, InterruptedException {
    List<Series.Point> points = new ArrayList<>();
    for (long region : regions(stride)) {
      Ring ring = new Ring(region, stride, SEED + region);
      ProbedMemory.Chase chase = memory.chase(ring, 1);
      points.add(
          measure(
              "%s, %,d bytes".formatted(name, region), (double) region, chase, 1, ring.blocks()));
    }
    return new Series(name, "bytes", "ns", points);
  }

  /** Measures the time of a read of one chain among some. */
  private Series.Point measure(
      String what, double x, ProbedMemory.Chase chase, int chains, int blocks)
      throws IOException, InterruptedException {
    // Once around, so that what fits into a cache is in it. Larger regions do not fit anyway.
    int warmUp = Math.min(blocks, 1 << 17);
    double nanos = chase.run(warmUp) / warmUp;
    int reads = (int) Math.clamp(SAMPLE_NANOS / Math.max(nanos, 0.1), 64, 1 << 20);
    return sampling.measure(what, x, () -> chase.run(reads) / ((double) reads * chains));
  }

  Series chains() throws IOException, InterruptedException {
    long region = memory.bytes() / LINE * LINE;
    Ring ring = new Ring(region, LINE, SEED);
    List<Series.Point> points = new ArrayList<>();
    for (int chains : List.of(1, 2, 3, 4, 6, 8, 12, 16)) {
      points.add(
          measure(
              "reads by %d chains".formatted(chains),
              chains,
              memory.chase(ring, chains),
              chains,
              ring.blocks()));
    }
    return new Series(Series.CHAINS, "chains", "ns", points);
  }

  Series writes() throws IOException, InterruptedException {
    List<Series.Point> points = new ArrayList<>();
    List<Long> regions = regions(LINE);
    // A sync of a disk takes as long wherever the bytes are, and is slow.
    int step = memory.kind() == Profile.Kind.DISK ? regions.size() - 1 : 2;
    for (int i = 0; i < regions.size(); i += step) {
      long region = regions.get(i);
      double nanos = memory.writes(region, 8) / 8;
      int count = (int) Math.clamp(WRITE_SAMPLE_NANOS / nanos, 8, 1 << 16);
      points.add(
          sampling.measure(
              "durable writes to %,d bytes".formatted(region),
              (double) region,
              () -> memory.writes(region, count) / count));
    }
    return new Series(Series.WRITE, "bytes", "ns", points);
  }
}
