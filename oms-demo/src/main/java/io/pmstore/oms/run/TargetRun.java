package io.pmstore.oms.run;

import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.targets.DiskUse;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.OmsTarget;
import io.pmstore.oms.targets.TargetFactory;
import io.pmstore.oms.targets.TargetSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One target's part of the comparison: warm up on a store that is thrown away, apply the flow,
 * close, measure, reopen, compare everything with the flow.
 */
public final class TargetRun {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final TargetFactory kind;
  private final TargetSettings settings;
  private final OrderFlow flow;
  private final ExpectedOrders expected;
  private final PrintStream log;

  /**
   * Prepares a run.
   *
   * @param settings how to open it; its directory must be absent or empty
   * @param flow what to apply, at least one report
   * @param expected what the flow leads to
   * @param log where progress is shown
   */
  public TargetRun(
      TargetFactory kind,
      TargetSettings settings,
      OrderFlow flow,
      ExpectedOrders expected,
      PrintStream log) {
    this.kind = kind;
    this.settings = settings;
    this.flow = flow;
    this.expected = expected;
    this.log = log;
  }

  /**
   * The results of a run.
   *
   * @param measurement what the row has percentiles of
   * @param verification what the comparison with the flow found
   */
  public record Outcome(
      RunResult result, FlowRunner.Measurement measurement, ContentVerifier.Outcome verification) {}

  /**
   * Applies the flow's beginning to a store of its own, so that the run itself meets compiled code;
   * then removes that store.
   *
   * @param limit how long
   * @param observer is told when reports are about to be applied
   * @return what was measured, of code that was not compiled yet
   * @throws IOException if the store cannot be removed
   * @throws InterruptedException if the calling thread is interrupted
   */
  public FlowRunner.Measurement warmUp(Duration limit, RunObserver observer)
      throws IOException, InterruptedException {
    LongAdder done = new LongAdder();
    Path directory =
        settings.directory().resolveSibling(settings.directory().getFileName() + "-warm-up");
    try (OmsTarget target = kind.create(settings.in(directory));
        OmsService service = target.open()) {
      List<List<FlowEvent>> parts = flow.partition(settings.threads());
      observer.opened(done);
      return FlowRunner.run(service, parts, limit, done, event -> {});
    } finally {
      Directories.delete(directory);
    }
  }

  /**
   * Runs and verifies. The store's files stay.
   *
   * @param observer is told when reports are about to be applied, and when the store is closed
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Outcome run(RunObserver observer) throws InterruptedException {
    try (OmsTarget target = kind.create(settings)) {
      FlowRunner.Measurement measured = apply(target, observer);
      observer.closed();
      DiskUse disk = target.diskUse();
      FlowEvent first = flow.events().getFirst();
      long reopening = System.nanoTime();
      try (OmsService service = target.open()) {
        OrderSnapshot read = service.find(first.orderId());
        double reopenMillis = (System.nanoTime() - reopening) / NANOS_PER_MILLI;
        log.printf("%s: comparing %,d orders with the flow%n", kind.label(), flow.orders());
        ContentVerifier.Outcome verification = verify(service, first, read);
        return new Outcome(row(measured, disk, reopenMillis), measured, verification);
      }
    }
  }

  private FlowRunner.Measurement apply(OmsTarget target, RunObserver observer)
      throws InterruptedException {
    List<List<FlowEvent>> parts = flow.partition(settings.threads());
    try (OmsService service = target.open();
        Progress progress = new Progress(kind.label(), flow.events().size(), log)) {
      observer.opened(progress.done());
      return FlowRunner.run(service, parts, null, progress.done(), event -> {});
    }
  }

  private ContentVerifier.Outcome verify(
      OmsService service, FlowEvent first, @Nullable OrderSnapshot read) {
    ContentVerifier.Outcome scanned = ContentVerifier.verify(expected, service);
    OrderSnapshot wanted = expected.order(first.orderId());
    if (scanned.matches() && (wanted == null || !wanted.equals(read))) {
      return new ContentVerifier.Outcome(
          scanned.orders(),
          scanned.reports(),
          1,
          List.of(
              "order "
                  + first.orderId()
                  + " looked up by its id is not what the scan found: "
                  + read));
    }
    return scanned;
  }

  private RunResult row(FlowRunner.Measurement measured, DiskUse disk, double reopenMillis) {
    return new RunResult(
        kind.label(),
        settings.medium().label(),
        settings.relaxed() ? "relaxed" : "sync",
        settings.threads(),
        flow.orders(),
        flow.events().size(),
        measured.nanos() / NANOS_PER_SECOND,
        measured.latencies().getValueAtPercentile(50) / NANOS_PER_MICRO,
        measured.latencies().getValueAtPercentile(99) / NANOS_PER_MICRO,
        disk,
        reopenMillis);
  }
}
