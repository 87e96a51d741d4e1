package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import java.util.Arrays;
import java.util.List;

/** The steps that compare engines with little persistent memory, as ETERNAL was evaluated. */
public final class PoolSteps {
  private PoolSteps() {}

  /**
   * Makes the steps.
   *
   * @param suite whose they are
   * @return one for each engine
   */
  public static List<Step> of(String suite, Scale scale) {
    return Arrays.stream(PoolEngine.values())
        .<Step>map(engine -> new PoolStep(suite, engine, PoolPlan.of(scale)))
        .toList();
  }
}
