package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.RunFigures;
import io.pmstore.jmh.workload.StoreSize;
import io.pmstore.jmh.workload.StoreTime;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.jmh.ycsb.generators.Sequence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The workloads of one store. After the last one of the first load the store is closed, and what it
 * takes on the disk is measured.
 */
final class YcsbStep implements Step {
  private final YcsbPlan plan;
  private final Deployment deployment;
  private final List<Workload> workloads;

  YcsbStep(YcsbPlan plan, Deployment deployment, List<Workload> workloads) {
    this.plan = plan;
    this.deployment = deployment;
    this.workloads = workloads;
  }

  @Override
  public String name() {
    return deployment.stepName(YcsbSuite.NAME);
  }

  @Override
  public Duration estimate() {
    long loads = workloads.contains(Workload.E) ? 2 : 1; // it has a store of its own
    Duration total = StoreTime.toOpen(deployment, loads * plan.records());
    boolean first = true;
    for (Workload workload : workloads) {
      Duration warmUp = WarmUp.usual(plan.warmUp(workload, first));
      total = total.plus(warmUp).plus(plan.run().duration());
      first = false;
    }
    return total;
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
    SplittableRandom random = new SplittableRandom(context.seed());
    List<Workload> first = workloads.stream().filter(one -> one != Workload.E).toList();
    runOnNewStore(context, random, first, false);
    if (first.size() < workloads.size()) {
      runOnNewStore(context, random, List.of(Workload.E), true);
    }
  }

  private void runOnNewStore(
      StepContext context, SplittableRandom random, List<Workload> chosen, boolean sorted)
      throws Exception {
    Path directory = deployment.stored() ? context.directory(deployment.medium()) : Path.of("");
    Sequence sequence = new Sequence(plan.records());
    try (YcsbStore store = YcsbStores.open(deployment, directory, sorted)) {
      RecordSource.load(store, plan.records(), random);
      boolean first = true;
      for (Workload workload : chosen) {
        run(store, workload, plan.warmUp(workload, first), sequence, random)
            .record(
                context,
                deployment.subject(YcsbSuite.NAME, workload.label(), plan.records()),
                "ops/s");
        first = false;
      }
    }
    if (deployment.stored() && !sorted) {
      StoreSize.record(
          context,
          deployment,
          deployment.subject(YcsbSuite.NAME, "all", plan.records()),
          directory,
          sequence.count());
    }
  }

  private RunFigures run(
      YcsbStore store,
      Workload workload,
      Duration warmUp,
      Sequence sequence,
      SplittableRandom random)
      throws InterruptedException {
    List<YcsbWorker> workers = new ArrayList<>();
    for (int i = 0; i < deployment.threads(); i++) {
      workers.add(new YcsbWorker(store, workload, sequence, random.split()));
    }
    return plan.run().runWarm(warmUp, workers, OperationKind.labels());
  }
}
