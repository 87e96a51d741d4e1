package io.pmstore.model.lookup;

import io.pmstore.model.observe.RecordingLoader;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.shared.AccessLog;
import io.pmstore.model.shared.LookupTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Looks up as many keys, at random, as a map has, for maps of growing size: measures the time, and
 * counts accesses for the two models.
 */
public final class LookupExperiment {
  private static final int SLICE = 2_000; // look-ups
  private static final int SLICES_MIN = 150;
  private static final int SLICES_MAX = 600;
  private static final int WARM_UP = 200_000;
  private static final long SIMULATED_MAX = 400_000;
  private static final int VERSIONS_MAX = 1 << 24;
  private static final double QUANTILE = 0.1;

  private final Profile profile;
  private final Path directory;
  private final String storage;
  private final Consumer<String> progress;
  private final List<Level> steps;

  /**
   * What was found for one size.
   *
   * @param size of the map, and the number of look-ups
   * @param nanos of a look-up: the tenth percentile of slices of {@value #SLICE}
   * @param meanNanos of a look-up: of all
   * @param waits lines that a look-up waits for
   * @param simulated how many of them each step's cache did not have, by simulation
   * @param counted the same, from the counts of the code alone
   */
  public record Row(
      long size,
      double nanos,
      double meanNanos,
      double waits,
      List<Double> simulated,
      List<Double> counted) {}

  /**
   * Prepares.
   *
   * @param profile of the memory below the directory, with levels
   * @param directory empty, for the store
   * @param storage the name of a {@link io.pmstore.Storage}
   */
  public LookupExperiment(
      Profile profile, Path directory, String storage, Consumer<String> progress) {
    this.profile = profile;
    this.directory = directory;
    this.storage = storage;
    this.progress = progress;
    this.steps = steps(profile);
  }

  /** Returns the levels that a read can miss. */
  public static List<Level> steps(Profile profile) {
    return profile.levels().stream().filter(l -> l.kind() != Level.Kind.MEMORY).toList();
  }

  /**
   * Measures and counts.
   *
   * @param sizes in ascending order
   */
  public List<Row> run(List<Long> sizes)
      throws IOException, ReflectiveOperationException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (long size : sizes) {
      double[] nanos;
      try (LookupTable table = new PersistentLookupTable(directory, storage)) {
        table.fill(size);
        nanos = measure(table, size);
      }
      rows.add(count(size, nanos));
      progress.accept(
          "%,d keys: %.0f ns a look-up, %.1f lines"
              .formatted(size, nanos[0], rows.getLast().waits));
    }
    return rows;
  }

  /** Returns the time of a look-up in ns: the tenth percentile of slices, and the mean. */
  private static double[] measure(LookupTable table, long size) {
    SplittableRandom random = new SplittableRandom(size);
    long checked = 0;
    for (int i = 0; i < WARM_UP; i++) {
      checked += table.get(random.nextLong(size));
    }
    int slices = Math.clamp(size / SLICE, SLICES_MIN, SLICES_MAX);
    double[] times = new double[slices];
    for (int slice = 0; slice < slices; slice++) {
      long began = System.nanoTime();
      for (int i = 0; i < SLICE; i++) {
        checked += table.get(random.nextLong(size));
      }
      times[slice] = (double) (System.nanoTime() - began) / SLICE;
    }
    if (checked <= 0) {
      throw new IllegalStateException("values are positive, and their sum is " + checked);
    }
    double mean = Arrays.stream(times).average().orElseThrow();
    Arrays.sort(times);
    return new double[] {times[(int) (slices * QUANTILE)], mean};
  }

  private Row count(long size, double[] nanos) throws IOException, ReflectiveOperationException {
    RecordingLoader program = new RecordingLoader();
    SimulatedMisses simulated = new SimulatedMisses(steps);
    Popularity counted = new Popularity(heapBytes(), VERSIONS_MAX);
    long sampled = Math.min(size, SIMULATED_MAX);
    try (LookupTable table =
        program.create(
            PersistentLookupTable.class,
            LookupTable.class,
            new Class<?>[] {Path.class, String.class},
            directory,
            storage)) {
      SplittableRandom random = new SplittableRandom(~size);
      record(simulated, table, Math.max(sampled, WARM_UP), random, size);
      simulated.count();
      record(simulated, table, sampled, random, size);
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
        nanos[0],
        nanos[1],
        (double) counted.waits() / size,
        Arrays.stream(simulated.misses()).mapToObj(n -> (double) n / sampled).toList(),
        steps.stream().map(step -> counted.misses(step, size)).toList());
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

  private long heapBytes() throws IOException {
    return Files.size(directory.resolve("heap"));
  }

  /** Returns the profile that the models use. */
  public Profile profile() {
    return profile;
  }
}
