package io.pmstore.jmh.bench;

import io.pmstore.jmh.consensus.ConsensusSuite;
import io.pmstore.jmh.intset.IntsetSuite;
import io.pmstore.jmh.objects.ObjectsSuite;
import io.pmstore.jmh.oms.OmsSuite;
import io.pmstore.jmh.suite.Suite;
import io.pmstore.jmh.tiered.TieredSuite;
import io.pmstore.jmh.tpcb.TpcbSuite;
import io.pmstore.jmh.ycsb.YcsbSuite;
import java.util.List;

/** All suites. */
public final class Suites {
  private Suites() {}

  /** The suites, in the order they run. */
  public static List<Suite> all() {
    return List.of(
        new OmsSuite(),
        new YcsbSuite(),
        new TpcbSuite(),
        new IntsetSuite(),
        new TieredSuite(),
        new ConsensusSuite(),
        new ObjectsSuite());
  }
}
