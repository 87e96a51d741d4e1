package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.List;

/**
 * The core workloads A to F of the Yahoo! Cloud Serving Benchmark, and the mixes that ETERNAL was
 * evaluated with, on pmstore, SQLite, PostgreSQL and plain objects. A step is a store on a medium;
 * it loads once and runs its workloads one after the other, as YCSB publishes it, and loads once
 * more for workload E.
 */
public final class YcsbSuite implements Suite {
  static final String NAME = "ycsb";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Step> steps(Scale scale) {
    YcsbPlan plan = YcsbPlan.of(scale);
    List<Step> steps = new ArrayList<>();
    plan.workloads()
        .forEach((deployment, workloads) -> steps.add(new YcsbStep(plan, deployment, workloads)));
    return steps;
  }
}
