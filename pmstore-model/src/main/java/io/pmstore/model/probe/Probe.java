package io.pmstore.model.probe;

import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import io.pmstore.model.profile.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures a memory, after LENS (Wang, Hou, Wang, Zhao, Swanson 2020): latencies of dependent reads
 * and of durable writes over growing regions, bandwidths over patterns, blocks and threads,
 * barriers, and how many reads are under way together.
 */
public final class Probe {
  private final ProbedMemory memory;
  private final Sampling sampling;
  private final Consumer<String> progress;
  private final Map<Quantity, Figure> figures = new EnumMap<>(Quantity.class);
  private final List<Series> series = new ArrayList<>();

  /**
   * Prepares.
   *
   * @param progress is told what is measured
   */
  public Probe(ProbedMemory memory, Sampling sampling, Consumer<String> progress) {
    this.memory = memory;
    this.sampling = sampling;
    this.progress = progress;
  }

  /**
   * Measures everything.
   *
   * @param name of the profile
   * @throws NoisyMachineException if other programs disturb too much
   */
  public Profile run(String name) throws IOException, InterruptedException {
    figures.put(
        Quantity.PROCESSORS,
        new Figure(memory.processors(), memory.processors(), memory.processors(), "threads", null));
    progress.accept("latency of reads");
    LatencyProbe latency = new LatencyProbe(memory, sampling);
    Reads reads = reads(latency);
    series.add(reads.lines);
    series.add(reads.pages);
    figures.put(Quantity.READ_LATENCY, reads.lines.points().getLast().figure("ns"));
    List<Level> levels = levels(reads);
    progress.accept("parallel reads");
    parallelism(latency.chains());
    progress.accept("latency of durable writes");
    Series writes = latency.writes();
    series.add(writes);
    figures.put(Quantity.WRITE_LATENCY, writes.points().getLast().figure("ns"));
    progress.accept("barriers");
    barriers();
    progress.accept("bandwidth");
    BandwidthProbe bandwidth = new BandwidthProbe(memory, sampling);
    List<Series> bandwidths = bandwidth.run();
    series.addAll(bandwidths);
    figures.put(Quantity.READ_BANDWIDTH, BandwidthProbe.best(bandwidths, false));
    figures.put(Quantity.WRITE_BANDWIDTH, BandwidthProbe.best(bandwidths, true));
    if (memory.kind() == Profile.Kind.DISK) {
      progress.accept("the device");
      int count = 32;
      Series.Point point =
          sampling.measure("a read of the device", 0, () -> memory.deviceReads(count) / count);
      figures.put(Quantity.DEVICE_READ_LATENCY, point.figure("ns"));
    }
    return new Profile(
        name,
        memory.kind(),
        List.of("measured by ./model probe"),
        memory.machine(),
        method(),
        figures,
        levels,
        series);
  }

  private record Reads(Series lines, Series pages) {}

  private static Reads reads(LatencyProbe latency) throws IOException, InterruptedException {
    latency.warmUp();
    return new Reads(latency.reads(Series.READ, 64), latency.reads(Series.READ_PAGES, 4096));
  }

  private List<Level> levels(Reads reads) {
    List<Series.Point> lines = reads.lines.points();
    return LevelNames.levels(
        new StepFit(lines, reads.pages.points()).fit(),
        memory.knownCaches(),
        lines.getLast().x(),
        lines.getLast().value());
  }

  /**
   * Measures the levels of the read latency only; takes some seconds.
   *
   * @throws NoisyMachineException if other programs disturb too much
   */
  public List<Level> levels() throws IOException, InterruptedException {
    return levels(reads(new LatencyProbe(memory, sampling)));
  }

  private void parallelism(Series chains) {
    series.add(chains);
    Series.Point alone = chains.points().getFirst();
    Series.Point best = alone;
    for (Series.Point point : chains.points()) {
      best = point.value() < best.value() ? point : best;
    }
    figures.put(
        Quantity.PARALLELISM,
        new Figure(
            alone.value() / best.value(),
            Math.max(1, Math.min(alone.value() / best.value(), alone.low() / best.high())),
            Math.max(alone.value() / best.value(), alone.high() / best.low()),
            "reads",
            null));
  }

  private void barriers() throws IOException, InterruptedException {
    boolean disk = memory.kind() == Profile.Kind.DISK;
    int alone = disk ? 40 : 20_000;
    figures.put(Quantity.APPEND_LATENCY, appends(1, disk ? 2_000 : 20_000, false).figure("ns"));
    Series.Point durable = appends(1, alone, true);
    figures.put(Quantity.BARRIER_LATENCY, durable.figure("ns"));
    List<Series.Point> shared = new ArrayList<>(List.of(durable));
    for (int threads : List.of(2, 4, 8, 16)) {
      shared.add(appends(threads, alone, true));
    }
    series.add(new Series(Series.SHARED_BARRIER, "threads", "ns", shared));
    int count = 2_000;
    figures.put(
        Quantity.HAND_OFF,
        sampling.measure("waking a thread", 0, () -> memory.handOffs(count) / count).figure("ns"));
  }

  /** The time of one record of one thread. */
  private Series.Point appends(int threads, int each, boolean durable)
      throws IOException, InterruptedException {
    String what = "%d threads appending%s".formatted(threads, durable ? " durably" : "");
    return sampling.measure(what, threads, () -> memory.appends(threads, each, durable) / each);
  }

  private List<String> method() {
    return List.of(
        "Reads follow a random ring through all blocks of a region; each needs the one before it.",
        "Steps: least squares of a sum of steps over the curves with a line in each block of 64"
            + " bytes and in each page; Bayesian information criterion.",
        "Every value is the lower quartile of %d to %d samples, its interval the 95 %% interval of that order statistic, at most %.0f %% of the value on each side."
            .formatted(sampling.samplesMin(), sampling.samplesMax(), 100 * sampling.interval()),
        "Bandwidth in 10^9 bytes a second, of all threads together.");
  }
}
