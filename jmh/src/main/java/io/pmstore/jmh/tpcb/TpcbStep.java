package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.RunFigures;
import io.pmstore.jmh.workload.StoreSize;
import io.pmstore.jmh.workload.StoreTime;
import io.pmstore.jmh.workload.WarmUp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The transactions on one store. */
final class TpcbStep implements Step {
  private final TpcbPlan plan;
  private final Deployment deployment;

  TpcbStep(TpcbPlan plan, Deployment deployment) {
    this.plan = plan;
    this.deployment = deployment;
  }

  @Override
  public String name() {
    return deployment.stepName(TpcbSuite.NAME);
  }

  @Override
  public Duration estimate() {
    return StoreTime.toOpen(deployment, plan.size().accounts())
        .plus(WarmUp.usual(plan.warmUp()))
        .plus(plan.run().duration());
  }

  @Override
  public boolean forcesPersistentMemory() {
    return deployment.forcesPersistentMemory();
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = deployment.missing();
    if (missing != null) {
      context.omit(missing);
      return;
    }
    Path directory = deployment.stored() ? context.directory(deployment.medium()) : Path.of("");
    Subject subject = deployment.subject(TpcbSuite.NAME, "transfer", plan.size().accounts());
    Totals expected;
    try (TpcbStore store = TpcbStores.open(deployment, directory, plan.size())) {
      store.load();
      expected = run(store, context, subject);
    }
    if (deployment.stored()) {
      long rows = plan.size().accounts() + expected.history();
      StoreSize.record(context, deployment, subject, directory, rows);
      try (TpcbStore store = TpcbStores.open(deployment, directory, plan.size())) {
        store.totals().check(expected, "after reopening");
      }
    }
  }

  /** Returns what the bank adds up to, as it does. */
  private Totals run(TpcbStore store, StepContext context, Subject subject) throws Exception {
    SplittableRandom random = new SplittableRandom(context.seed());
    List<TpcbWorker> workers = new ArrayList<>();
    for (int i = 0; i < deployment.threads(); i++) {
      workers.add(new TpcbWorker(store, plan.size(), random.split()));
    }
    RunFigures figures = plan.run().runWarm(plan.warmUp(), workers, List.of("transfer"));
    Totals expected = TpcbWorker.expected(workers);
    store.totals().check(expected, "after the run");
    figures.record(context, subject, "tx/s");
    return expected;
  }
}
