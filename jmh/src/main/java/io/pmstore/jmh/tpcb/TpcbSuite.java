package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.List;

/**
 * The transaction of TPC-B on pmstore, SQLite, PostgreSQL and plain objects. A step is a store on a
 * medium; what the bank adds up to is compared with what was acknowledged, after the run and after
 * the store was opened again, and a difference fails the step.
 */
public final class TpcbSuite implements Suite {
  static final String NAME = "tpcb";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Step> steps(Scale scale) {
    TpcbPlan plan = TpcbPlan.of(scale);
    List<Step> steps = new ArrayList<>();
    plan.deployments().forEach(deployment -> steps.add(new TpcbStep(plan, deployment)));
    return steps;
  }
}
