package io.pmstore.jmh.oms;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.RunFigures;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.jmh.workload.Worker;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.ContentVerifier;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.targets.DiskUse;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.OmsTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Orders are found by their ids, at random among all, with all their reports, in a store that was
 * filled and opened again. Afterwards the store is compared with the flow. Reading is the same for
 * every durability; the store is opened as for {@code sync}.
 *
 * <p>Because all targets have the same orders here, this is also where their {@code disk} and
 * {@code log} are to be compared, bytes for each report of the closed store. Elsewhere a run has as
 * many reports as the target does in its time, and in a small store what does not grow with them
 * counts most.
 */
final class FindStep implements Step {
  static final String WORKLOAD = "find by id";

  private final OmsCase what;
  private final Effort effort;

  /**
   * Makes the step.
   *
   * @param what a store of durability {@code sync}, and its orders
   */
  FindStep(OmsCase what, Scale scale) {
    this.what = what;
    this.effort = Effort.of(scale);
  }

  @Override
  public String name() {
    return OmsCase.name(
        WORKLOAD, what.target().label(), what.medium(), what.durability(), what.threads());
  }

  @Override
  public Duration estimate() {
    return Duration.ofMillis(2_500 + effort.foundOrders() / 5)
        .plus(WarmUp.usual(effort.warmUp()))
        .plus(effort.run().multipliedBy(effort.repetitions()));
  }

  @Override
  public void run(StepContext context) throws Exception {
    int orders = effort.foundOrders();
    OrderFlow flow =
        FlowSource.generate(
            new FlowSettings(orders, what.ratio(), context.seed()), null, reports -> {});
    Path directory = context.directory(what.medium()).resolve("store");
    DiskUse disk = fill(directory, flow);
    SplittableRandom random = new SplittableRandom(context.seed());
    RunFigures figures;
    try (OmsTarget target = what.target().create(what.settings(directory, orders));
        OmsService service = target.open()) {
      List<Finder> finders =
          Stream.generate(() -> new Finder(service, orders, random.split()))
              .limit(what.threads())
              .toList();
      figures = effort.calls().runWarm(effort.warmUp(), finders, List.of(WORKLOAD));
      FlowStep.require(ContentVerifier.verify(new ExpectedOrders(flow), service));
    }
    Subject subject = what.subject(WORKLOAD, orders);
    figures.record(context, subject, "ops/s");
    double reports = flow.events().size();
    context.record(Measurement.of(subject, "disk", "bytes", Figures.withoutLog(disk) / reports));
    context.record(Measurement.of(subject, "log", "bytes", disk.redoLogBytes() / reports));
  }

  /**
   * Fills the store; nothing is measured, so the durability is the faster one. Returns what it
   * takes when it is closed.
   */
  private DiskUse fill(Path directory, OrderFlow flow) throws IOException {
    OmsCase relaxed = what.relaxed();
    try (OmsTarget target = relaxed.target().create(relaxed.settings(directory, flow.orders()))) {
      try (OmsService service = target.open()) {
        flow.events().forEach(service::apply);
      }
      return target.diskUse();
    }
  }

  /** Finds orders, one after the other. */
  private static final class Finder implements Worker {
    private final OmsService service;
    private final int orders;
    private final SplittableRandom random;
    private long id;

    Finder(OmsService service, int orders, SplittableRandom random) {
      this.service = service;
      this.orders = orders;
      this.random = random;
    }

    @Override
    public int prepare() {
      id = 1L + random.nextInt(orders);
      return 0;
    }

    @Override
    public void perform() {
      OrderSnapshot found = service.find(id);
      if (found == null || found.id() != id) {
        throw new IllegalStateException("order " + id + " was looked up; found: " + found);
      }
    }
  }
}
