package io.pmstore.model.probe;

import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.memory.ProbedMemory.Pattern;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Measures bandwidths over pattern, size of blocks, and threads. */
final class BandwidthProbe {
  private static final List<Integer> BLOCKS = List.of(64, 256, 4 << 10, 64 << 10);
  private static final String WRITE = Series.BANDWIDTH + "writing";
  private static final String READ = Series.BANDWIDTH + "reading";
  private static final double SAMPLE_NANOS = 3e6;
  private static final long FIRST_BYTES = 1 << 18;

  private final ProbedMemory memory;
  private final Sampling sampling;

  BandwidthProbe(ProbedMemory memory, Sampling sampling) {
    this.memory = memory;
    this.sampling = sampling;
  }

  List<Series> run() throws IOException, InterruptedException {
    List<Series> all = new ArrayList<>();
    TreeSet<Integer> threads = new TreeSet<>(List.of(1, 2));
    threads.add(memory.processors());
    threads.add(Math.min(16, 2 * memory.processors()));
    for (boolean isWrite : List.of(false, true)) {
      // Small blocks on a disk are system calls, which do not show the disk.
      boolean skipsSmall = isWrite && memory.kind() == Profile.Kind.DISK;
      for (Pattern pattern : Pattern.values()) {
        for (int block : BLOCKS) {
          if (skipsSmall && block < 4 << 10) {
            continue;
          }
          List<Series.Point> points = new ArrayList<>();
          for (int count : threads) {
            points.add(point(isWrite, pattern, block, count));
          }
          String name =
              "%s, %s, blocks of %,d bytes"
                  .formatted(
                      isWrite ? WRITE : READ, pattern.name().toLowerCase(Locale.ROOT), block);
          all.add(new Series(name, "threads", "GB/s", points));
        }
      }
    }
    return all;
  }

  private Series.Point point(boolean isWrite, Pattern pattern, int block, int threads)
      throws IOException, InterruptedException {
    long part = memory.bytes() / threads / block * block;
    long first = Math.min(part, Math.max(FIRST_BYTES, 4L * block));
    ProbedMemory.Stream trial = new ProbedMemory.Stream(isWrite, pattern, block, threads, first);
    double nanos = memory.stream(trial);
    long bytes = (long) Math.clamp(first * SAMPLE_NANOS / nanos, block, (double) part);
    ProbedMemory.Stream stream =
        new ProbedMemory.Stream(
            isWrite, pattern, block, threads, Math.max(block, bytes / block * block));
    // The time is sampled, because disturbances make it longer, and then turned around.
    Series.Point time =
        sampling.measure(
            "%s %s blocks of %,d bytes by %d threads"
                .formatted(isWrite ? "writing" : "reading", pattern, block, threads),
            threads,
            () -> memory.stream(stream));
    double moved = (double) stream.bytes() * threads;
    return new Series.Point(threads, moved / time.value(), moved / time.high(), moved / time.low());
  }

  /** The highest bandwidth among some. */
  static Figure best(List<Series> all, boolean isWrite) {
    Series.Point best = null;
    for (Series one : all) {
      for (Series.Point point : one.points()) {
        if (one.name().startsWith(isWrite ? WRITE : READ)
            && (best == null || point.value() > best.value())) {
          best = point;
        }
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("no bandwidth was measured");
    }
    return best.figure("GB/s");
  }
}
