package io.pmstore.model.lookup;

import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.model.memory.FileMemory;
import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.observe.RecordingLoader;
import io.pmstore.model.probe.Probe;
import io.pmstore.model.probe.Sampling;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.shared.AccessLog;
import io.pmstore.model.shared.LookupTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Looks up as many keys, at random, as a map has, for maps of growing size: measures the time, and
 * counts accesses for the two models.
 */
public final class LookupExperiment {
  private static final long SIMULATED = 150_000;
  private static final Sampling SAMPLING = new Sampling(16, 100, 1);
  private static final int VERSIONS_MAX = 1 << 24;

  private final Path directory;
  private final String storage;
  private final Consumer<String> progress;
  private final long region;

  /**
   * What was found for one size.
   *
   * @param size of the map, and the number of look-ups
   * @param nanos of a look-up: the median of turns, and the median of rounds of that
   * @param meanNanos of a look-up: of all; the median of rounds
   * @param memoryNanos of a dependent read in the largest region of the profile, measured in turns
   *     with the look-ups; medians as for {@code nanos}
   * @param probes of the memory, one just after the look-ups of each round: its levels
   * @param waits lines that a look-up waits for
   * @param simulated how many of them caches and TLBs of growing capacities did not have, by
   *     simulation
   * @param counted the same, from the counts of the code alone
   */
  public record Row(
      long size,
      double nanos,
      double meanNanos,
      double memoryNanos,
      List<List<Level>> probes,
      double waits,
      List<Double> simulated,
      List<Double> counted) {}

  /**
   * Prepares.
   *
   * @param profile of the memory below the directory, with levels
   * @param directory empty, for stores
   * @param storage the name of a {@link io.pmstore.Storage}
   */
  public LookupExperiment(
      Profile profile, Path directory, String storage, Consumer<String> progress) {
    this.directory = directory;
    this.storage = storage;
    this.progress = progress;
    this.region = (long) profile.levels().getLast().bytes() / 64 * 64;
  }

  /** What one round has measured of one size. */
  private record Measured(SideBySide.Result times, List<Level> levels) {}

  /**
   * Measures and counts.
   *
   * @param sizes in ascending order
   * @param rounds how often each size is measured, in a map made anew; a round has all sizes, so
   *     that what disturbs the machine for a minute does not disturb a size in all rounds
   */
  public List<Row> run(List<Long> sizes, int rounds) throws Exception {
    round(sizes.subList(0, 1), (store, size) -> measure(store, size)); // the first map is slower
    Map<Long, List<Measured>> measured = new HashMap<>();
    List<Row> rows = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      boolean isLast = round == rounds;
      round(
          sizes,
          (store, size) -> {
            List<Measured> all = measured.computeIfAbsent(size, s -> new ArrayList<>());
            all.add(measure(store, size));
            if (isLast) {
              rows.add(count(store, size, all));
            }
          });
    }
    return rows;
  }

  /** What is done with the map when it has a size. */
  @FunctionalInterface
  private interface AtSize {
    void run(Path store, long size) throws Exception;
  }

  /** Makes a map that grows from size to size. */
  private void round(List<Long> sizes, AtSize atSize) throws Exception {
    Path store = Files.createTempDirectory(directory, "map");
    try {
      for (long size : sizes) {
        atSize.run(store, size);
      }
    } finally {
      TemporaryDirectory.delete(store);
    }
  }

  private Measured measure(Path store, long size) throws IOException, InterruptedException {
    try (LookupTable table = new PersistentLookupTable(store, storage);
        ProbedMemory memory = FileMemory.create(directory, region)) {
      table.fill(size);
      SideBySide.Result times = new SideBySide(memory, region).measure(table, size);
      progress.accept(
          "%,d keys: %.0f ns a look-up, %.0f ns a read"
              .formatted(size, times.lookup(), times.read()));
      return new Measured(times, new Probe(memory, SAMPLING, line -> {}).levels());
    }
  }

  private Row count(Path store, long size, List<Measured> measured) throws Exception {
    RecordingLoader program = new RecordingLoader();
    SimulatedMisses simulated = new SimulatedMisses(Capacities.ALL);
    Popularity counted = new Popularity(Files.size(store.resolve("heap")), VERSIONS_MAX);
    try (LookupTable table =
        RecordingLoader.create(
            program, PersistentLookupTable.class, LookupTable.class, store, storage)) {
      SplittableRandom random = new SplittableRandom(~size);
      record(simulated, table, SIMULATED, random, size);
      simulated.count();
      record(simulated, table, SIMULATED, random, size);
      AccessLog.record(counted, Thread.currentThread());
      for (long key = 0; key < size; key++) {
        counted.begin();
        table.get(key);
      }
      AccessLog.record(null, null); // before the store is closed, which writes
    } finally {
      AccessLog.record(null, null);
    }
    program.requireGates();
    return new Row(
        size,
        median(measured, SideBySide.Result::lookup),
        median(measured, SideBySide.Result::mean),
        median(measured, SideBySide.Result::read),
        measured.stream().map(Measured::levels).toList(),
        (double) counted.waits() / size,
        Arrays.stream(simulated.misses()).mapToObj(n -> (double) n / SIMULATED).toList(),
        Capacities.ALL.stream().map(step -> counted.misses(step, size)).toList());
  }

  private static double median(List<Measured> measured, ToDoubleFunction<SideBySide.Result> of) {
    double[] sorted = measured.stream().map(Measured::times).mapToDouble(of).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static void record(
      SimulatedMisses caches, LookupTable table, long count, SplittableRandom random, long size) {
    AccessLog.record(caches, Thread.currentThread());
    for (long i = 0; i < count; i++) {
      caches.begin();
      table.get(random.nextLong(size));
    }
    AccessLog.record(null, null);
  }
}
