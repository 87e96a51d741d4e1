package io.pmstore.jmh.intset;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.List;

/**
 * The study of Bastelli et al.: a sorted list, a hash table and a skip list of long keys, as plain
 * Java objects and, the same classes, in a store; the throughput of a mix of look-ups, insertions
 * and removals by one thread, over the size of the set.
 */
public final class IntsetSuite implements Suite {
  static final String NAME = "intset";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Step> steps(Scale scale) {
    List<Step> steps = new ArrayList<>();
    for (Structure structure : Structure.values()) {
      for (Setting setting : Setting.values()) {
        if (setting != Setting.LLPL || scale != Scale.QUICK) {
          steps.add(new IntsetStep(structure, setting, IntsetPlan.of(scale)));
        }
      }
    }
    return steps;
  }
}
