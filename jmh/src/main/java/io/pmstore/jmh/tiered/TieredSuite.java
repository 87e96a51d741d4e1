package io.pmstore.jmh.tiered;

import io.pmstore.jmh.oms.OmsSuite;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import io.pmstore.jmh.ycsb.PoolSteps;
import io.pmstore.oms.targets.TargetKind;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tiered storage: the workloads of ETERNAL beside {@link io.pmstore.jmh.nvwal NVWAL}, and the
 * order management system beside the mapped engine.
 */
public final class TieredSuite implements Suite {
  public static final String NAME = "tiered";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Step> steps(Scale scale) {
    return Stream.concat(
            PoolSteps.of(NAME, scale).stream(),
            OmsSuite.compared(NAME, scale, List.of(TargetKind.PMSTORE, TargetKind.PMSTORE_TIERED))
                .stream())
        .toList();
  }
}
