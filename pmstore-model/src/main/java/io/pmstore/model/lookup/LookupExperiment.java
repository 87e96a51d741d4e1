package io.pmstore.model.lookup;

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
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

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
   * @param nanos of a look-up: the median of turns
   * @param meanNanos of a look-up: of all
   * @param memoryNanos of a dependent read in the largest region of the profile, measured in turns
   *     with the look-ups
   * @param levels of the memory, measured just after the look-ups
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
      List<Level> levels,
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
    this.directory = directory;
    this.storage = storage;
    this.progress = progress;
    this.region = (long) profile.levels().getLast().bytes() / 64 * 64;
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
      SideBySide.Result measured;
      List<Level> levels;
      try (LookupTable table = new PersistentLookupTable(directory, storage);
          ProbedMemory memory = FileMemory.create(directory, region)) {
        table.fill(size);
        measured = new SideBySide(memory, region).measure(table, size);
        levels = new Probe(memory, SAMPLING, line -> {}).levels();
      }
      rows.add(count(size, measured, levels));
      progress.accept(
          "%,d keys: %.0f ns a look-up, %.1f lines, %.0f ns a read"
              .formatted(size, measured.lookup(), rows.getLast().waits, measured.read()));
    }
    return rows;
  }

  private Row count(long size, SideBySide.Result measured, List<Level> levels)
      throws IOException, ReflectiveOperationException {
    RecordingLoader program = new RecordingLoader();
    SimulatedMisses simulated = new SimulatedMisses(Capacities.ALL);
    Popularity counted = new Popularity(heapBytes(), VERSIONS_MAX);
    try (LookupTable table =
        program.create(
            PersistentLookupTable.class,
            LookupTable.class,
            new Class<?>[] {Path.class, String.class},
            directory,
            storage)) {
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
        measured.lookup(),
        measured.mean(),
        measured.read(),
        levels,
        (double) counted.waits() / size,
        Arrays.stream(simulated.misses()).mapToObj(n -> (double) n / SIMULATED).toList(),
        Capacities.ALL.stream().map(step -> counted.misses(step, size)).toList());
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
}
