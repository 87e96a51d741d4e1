package io.pmstore.model.oms;

import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Quantity;
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
  private static final double QUANTILE = 0.75; // disturbances only make a run slower

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
   * What was measured.
   *
   * @param perSecond reports a second: the upper quartile of the runs
   * @param least the slowest run
   * @param most the fastest run
   */
  public record Rate(Setting setting, double perSecond, double least, double most) {}

  private final Path pmem;
  private final Path file;
  private final Duration time;
  private final int rounds;
  private final Consumer<String> progress;
  private final OrderFlow flow;
  private final BareCosts pmemCosts;
  private final BareCosts fileCosts;

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
    pmemCosts = new BareCosts(pmem);
    fileCosts = new BareCosts(file);
    flow = FlowSource.generate(new FlowSettings(ORDERS, RATIO, SEED), null, reports -> {});
  }

  /** Measures. */
  public List<Rate> run(List<Setting> settings) throws IOException, InterruptedException {
    Map<Setting, List<Double>> rates = new LinkedHashMap<>();
    // Compiles what all use, where nothing waits for a disk.
    for (int i = 0; i < 4; i++) {
      run(new Setting(true, i % 2 == 0, 1 + i / 2));
    }
    for (int round = 0; round < rounds; round++) {
      for (Setting setting : settings) {
        rates.computeIfAbsent(setting, s -> new ArrayList<>()).add(run(setting));
      }
      pmemCosts.measure();
      fileCosts.measure();
      progress.accept("round %d of %d".formatted(round + 1, rounds));
    }
    return rates.entrySet().stream()
        .map(
            entry -> {
              List<Double> sorted = entry.getValue().stream().sorted().toList();
              int at = (int) Math.ceil(QUANTILE * (sorted.size() - 1));
              return new Rate(entry.getKey(), sorted.get(at), sorted.getFirst(), sorted.getLast());
            })
        .toList();
  }

  /** Returns what bare appends and hand-offs took in the same minutes, on either medium. */
  public Map<Quantity, Figure> costs(boolean isPmem) {
    return (isPmem ? pmemCosts : fileCosts).figures();
  }

  private double run(Setting setting) throws IOException, InterruptedException {
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
      FlowRunner.Measurement measured = FlowRunner.run(service, parts, time, done, event -> {});
      return done.sum() / (measured.nanos() / NANOS_PER_SECOND);
    } finally {
      TemporaryDirectory.delete(directory);
    }
  }
}
