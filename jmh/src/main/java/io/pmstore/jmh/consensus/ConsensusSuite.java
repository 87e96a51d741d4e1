package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Replicated maps, as the thesis measured them. */
public final class ConsensusSuite implements Suite {
  public static final String NAME = "consensus";

  /** Those that acknowledge nothing before it is durable. */
  private static final List<Contender> DURABLE =
      Stream.of(Contender.values()).filter(each -> each.persistEvery() == 1).toList();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Step> steps(Scale scale) {
    ConsensusPlan plan = ConsensusPlan.of(scale);
    List<Step> steps = new ArrayList<>();
    local(scale).forEach(each -> steps.add(new SetStep(Place.LOCAL, each, Subject.PMEM, plan)));
    others(scale).forEach(each -> steps.add(new SetStep(Place.NETWORK, each, Subject.PMEM, plan)));
    List<Contender> onDisk = scale == Scale.FULL ? DURABLE : List.of(Contender.PMSTORE);
    onDisk.forEach(each -> steps.add(new SetStep(Place.LOCAL, each, Subject.FILE, plan)));
    steps.add(new RecoveryStep(others(scale), Subject.PMEM, plan));
    steps.add(new ObjectsStep(Subject.PMEM, plan));
    steps.add(new StructureStep(1, plan));
    steps.add(new StructureStep(10, plan));
    return steps;
  }

  private static List<Contender> local(Scale scale) {
    return switch (scale) {
      case SMOKE -> List.of(Contender.LIST, Contender.TREE_10);
      case QUICK -> DURABLE;
      case FULL -> List.of(Contender.values());
    };
  }

  private static List<Contender> others(Scale scale) {
    return switch (scale) {
      case SMOKE -> List.of(Contender.LOG, Contender.PMSTORE);
      case QUICK -> DURABLE;
      case FULL -> List.of(Contender.values());
    };
  }
}
