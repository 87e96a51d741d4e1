package io.pmstore.model.oms;

import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.model.oms.BareCosts.Costs;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.FlowRunner;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.OmsTarget;
import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Measures how many reports a second the order management system applies, for settings of medium,
 * durability and threads. The settings take turns, so that what disturbs the machine for a while
 * disturbs all of them.
 */
public final class OmsRates {
  private static final int RATIO = 6;
  private static final int ORDERS = 60_000;
  private static final long SEED = 7;
  private static final double NANOS_PER_SECOND = 1e9;

  /** What is measured. */
  public record Setting(boolean isPmem, boolean relaxed, int threads) {
    /** Returns its name. */
    public String label() {
      return "%s, %s, %d %s"
          .formatted(
              isPmem ? "persistent memory" : "file",
              relaxed ? "relaxed" : "sync",
              threads,
              threads == 1 ? "thread" : "threads");
    }
  }

  /**
   * What was measured: medians of the runs, and of the bare costs before and after each of them.
   *
   * @param perSecond reports a second
   * @param least the slowest run
   * @param most the fastest run
   * @param appendNanos a bare record is written to the same medium
   * @param barrierNanos a bare record is written and made durable
   * @param sharedNanos the same by each of as many threads, which share barriers
   * @param handOffNanos a thread is woken
   */
  public record Rate(
      Setting setting,
      double perSecond,
      double least,
      double most,
      double appendNanos,
      double barrierNanos,
      double sharedNanos,
      double handOffNanos) {}

  private record Run(double perSecond, Costs before, Costs after) {}

  private final Path pmem;
  private final Path file;
  private final Duration time;
  private final int rounds;
  private final Consumer<String> progress;
  private final OrderFlow flow;

  /**
   * Prepares.
   *
   * @param pmem a directory on persistent memory
   * @param file a directory on a disk
   * @param time of a run
   * @param rounds how many runs each setting has
   */
  public OmsRates(Path pmem, Path file, Duration time, int rounds, Consumer<String> progress)
      throws IOException {
    this.pmem = pmem;
    this.file = file;
    this.time = time;
    this.rounds = rounds;
    this.progress = progress;
    flow = FlowSource.generate(new FlowSettings(ORDERS, RATIO, SEED), null, reports -> {});
  }

  /** Measures. */
  public List<Rate> run(List<Setting> settings) throws IOException, InterruptedException {
    Map<Setting, List<Run>> runs = new LinkedHashMap<>();
    try (BareCosts ofPmem = new BareCosts(pmem);
        BareCosts ofFile = new BareCosts(file)) {
      // Compiles what all use, where nothing waits for a disk.
      for (int i = 0; i < 4; i++) {
        run(new Setting(true, i % 2 == 0, 1 + i / 2), ofPmem);
      }
      for (int round = 0; round < rounds; round++) {
        for (Setting setting : settings) {
          BareCosts costs = setting.isPmem ? ofPmem : ofFile;
          runs.computeIfAbsent(setting, s -> new ArrayList<>()).add(run(setting, costs));
        }
        progress.accept("round %d of %d".formatted(round + 1, rounds));
      }
    }
    return runs.entrySet().stream().map(e -> rate(e.getKey(), e.getValue())).toList();
  }

  private static Rate rate(Setting setting, List<Run> runs) {
    return new Rate(
        setting,
        median(runs, Run::perSecond),
        runs.stream().mapToDouble(Run::perSecond).min().orElseThrow(),
        runs.stream().mapToDouble(Run::perSecond).max().orElseThrow(),
        median(runs, r -> (r.before.appendNanos() + r.after.appendNanos()) / 2),
        median(runs, r -> (r.before.barrierNanos() + r.after.barrierNanos()) / 2),
        median(runs, r -> (r.before.sharedNanos() + r.after.sharedNanos()) / 2),
        median(runs, r -> (r.before.handOffNanos() + r.after.handOffNanos()) / 2));
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> of) {
    double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private Run run(Setting setting, BareCosts costs) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory(setting.isPmem ? pmem : file, "pmstore-oms-");
    TargetSettings settings =
        new TargetSettings(
            directory,
            setting.isPmem ? Medium.PMEM : Medium.FILE,
            setting.relaxed,
            setting.threads,
            TargetSettings.llplPoolBytes(1, 1),
            null);
    List<List<FlowEvent>> parts = flow.partition(setting.threads);
    LongAdder done = new LongAdder();
    try (OmsTarget target = TargetKind.PMSTORE.create(settings);
        OmsService service = target.open()) {
      // While the store is open: making and deleting its files would disturb the disk.
      Costs before = costs.measure(setting.threads);
      FlowRunner.Measurement measured = FlowRunner.run(service, parts, time, done, event -> {});
      double rate = done.sum() / (measured.nanos() / NANOS_PER_SECOND);
      return new Run(rate, before, costs.measure(setting.threads));
    } finally {
      TemporaryDirectory.delete(directory);
    }
  }
}
