package io.pmstore.jmh.oms;

import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.ContentVerifier;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.run.FlowRunner;
import io.pmstore.oms.run.TargetRun;
import io.pmstore.oms.targets.NativeLibraries;
import io.pmstore.oms.targets.TargetKind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A target applies a flow, and is compared with it.
 *
 * <p>A run has as many orders as the target does in the time that a run should take, which the
 * warm-up shows. What is recorded:
 *
 * <ul>
 *   <li>{@code throughput}, reports/s: a sample is a slice of a run's time, of {@link
 *       Effort#slices} equal ones; of all runs, one after the other. A target that is so fast that
 *       the longest flow does not fill the time has more runs, and each is one sample.
 *   <li>{@code p50}, {@code p99}, {@code p99.9}, us: one sample for each run; and the distribution
 *       of the latencies of all runs.
 *   <li>{@code disk} and {@code log}, bytes for each report: blocks that the closed store takes,
 *       without its redo or write-ahead log, and those of the log. Where the log cannot be told
 *       apart, {@code disk} is everything.
 *   <li>{@code written}, bytes for each report, on ordinary files: what the device wrote from the
 *       opened to the closed store, the file system synced before and after. What other programs
 *       write meanwhile counts too.
 *   <li>{@code reopen}, ms: from the start of opening to the first order read by its id.
 * </ul>
 */
final class FlowStep implements Step {
  private static final PrintStream NOBODY =
      new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int REPETITIONS_MAX = 5;
  private static final int SYNCED_PMDK_REPORTS_PER_SECOND = 300;
  private static final int WARM_UP_SLICES = 5;

  private final OmsCase what;
  private final Effort effort;

  FlowStep(OmsCase what, Scale scale) {
    this.what = what;
    this.effort = Effort.of(scale);
  }

  @Override
  public String name() {
    return what.stepName();
  }

  @Override
  public Duration estimate() {
    boolean server = what.target() == TargetKind.POSTGRES;
    Duration start = Duration.ofMillis(server ? 3_000 : 1_050);
    Duration warmUp = WarmUp.usual(effort.warmUp());
    if (isBoundBySyncs()) {
      start = start.plus(effort.warmUp()); // more was compiled before
    }
    Duration each = effort.run().multipliedBy(3).dividedBy(2).plusMillis(server ? 1_500 : 0);
    if (!forcesPersistentMemory()) { // each thread has an order at least
      each = each.plusSeconds(what.threads() * what.ratio() / SYNCED_PMDK_REPORTS_PER_SECOND);
    }
    return start.plus(warmUp).plus(each.multipliedBy(effort.repetitions()));
  }

  private boolean isBoundBySyncs() {
    return what.durability().equals(Subject.SYNC)
        && what.medium().equals(Subject.FILE)
        && !what.usesLlpl();
  }

  @Override
  public boolean forcesPersistentMemory() {
    return !(what.usesLlpl() && what.medium().equals(Subject.FILE));
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = what.usesLlpl() ? NativeLibraries.missingForLlpl() : null;
    if (missing != null) {
      context.omit(missing);
      return;
    }
    Path directory =
        context.directory(what.medium().equals(Subject.PMEM) ? Subject.PMEM : Subject.FILE);
    double rate = warmUp(directory, context.seed());
    double reports =
        Math.min(effort.reportsMax(), rate * effort.run().toNanos() / NANOS_PER_SECOND);
    int orders = (int) Math.max(what.threads(), Math.round(reports / (what.ratio() + 1)));
    OrderFlow flow = flow(orders, context.seed());
    ExpectedOrders expected = new ExpectedOrders(flow);
    Optional<BlockDevice> device =
        what.medium().equals(Subject.FILE) ? BlockDevice.of(directory) : Optional.empty();
    Figures figures = new Figures(what, flow.events().size());
    int repetitions = repetitions(rate, flow);
    int slices = repetitions > effort.repetitions() ? 1 : effort.slices();
    for (int i = 0; i < repetitions; i++) {
      Watch watch = new Watch(device);
      TargetRun.Outcome outcome =
          target(what, directory.resolve("run-" + i), flow, expected).run(watch);
      require(outcome.verification());
      figures.add(outcome, watch.perSecond(slices, outcome.measurement().nanos()), watch.written());
    }
    figures.record(context);
  }

  /** A target whose longest flow takes less than the time of a run repeats it. */
  private int repetitions(double rate, OrderFlow flow) {
    double seconds = flow.events().size() / rate;
    double fill = effort.run().toNanos() / NANOS_PER_SECOND / seconds;
    return Math.clamp(Math.round(fill), effort.repetitions(), REPETITIONS_MAX);
  }

  /** Returns how many reports a second the target does when it is warm, about. */
  private double warmUp(Path directory, long seed) throws IOException, InterruptedException {
    int orders = Math.max(what.threads(), effort.warmUpReports() / (what.ratio() + 1));
    OrderFlow flow = flow(orders, ~seed);
    if (isBoundBySyncs()) {
      // Most of the time goes into syncs, and little code would be compiled before it is measured.
      warmUp(what.relaxed(), directory, flow);
    }
    return warmUp(what, directory, flow);
  }

  private double warmUp(OmsCase how, Path directory, OrderFlow flow)
      throws IOException, InterruptedException {
    TargetRun target = target(how, directory.resolve("store"), flow, new ExpectedOrders(flow));
    WarmUp warmUp = new WarmUp(effort.warmUp());
    while (true) {
      Watch watch = new Watch(Optional.empty());
      FlowRunner.Measurement measured = target.warmUp(effort.warmUp(), watch);
      List<Double> slices = watch.perSecond(WARM_UP_SLICES, measured.nanos());
      if (warmUp.isOver()) {
        return Math.max(1, slices.stream().sorted().toList().get(WARM_UP_SLICES / 2));
      }
    }
  }

  private static TargetRun target(
      OmsCase how, Path directory, OrderFlow flow, ExpectedOrders expected) {
    return new TargetRun(
        how.target(), how.settings(directory, flow.orders()), flow, expected, NOBODY);
  }

  private OrderFlow flow(int orders, long seed) throws IOException {
    return FlowSource.generate(new FlowSettings(orders, what.ratio(), seed), null, reports -> {});
  }

  static void require(ContentVerifier.Outcome verification) {
    if (!verification.matches()) {
      throw new IllegalStateException(
          "the store differs from the flow in %,d places, the first: %s"
              .formatted(verification.differences(), String.join("; ", verification.shown())));
    }
  }
}
