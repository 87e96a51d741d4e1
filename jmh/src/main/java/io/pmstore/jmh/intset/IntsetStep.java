package io.pmstore.jmh.intset;

import io.pmstore.Storage;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.oms.targets.NativeLibraries;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Measures one structure in one setting, with all sizes. */
record IntsetStep(Structure structure, Setting setting, IntsetPlan plan) implements Step {
  private static final Duration START = Duration.ofMillis(1500); // of a JVM
  private static final Duration FILL = Duration.ofMillis(300); // a store, on average over the sizes

  @Override
  public String name() {
    return String.join(
        "/", IntsetSuite.NAME, structure.label(), setting.target(), setting.medium());
  }

  @Override
  public Duration estimate() {
    Duration each = plan.warmUp().plus(plan.sample().multipliedBy(plan.samples())).plus(FILL);
    return START
        .plus(WarmUp.usual(plan.firstWarmUp()))
        .plus(each.multipliedBy(plan.bits(structure).size()));
  }

  @Override
  public void run(StepContext context) throws IOException {
    String missing = setting == Setting.LLPL ? NativeLibraries.missingForLlpl() : null;
    if (missing != null) {
      context.omit(missing);
      return;
    }
    SplittableRandom random = new SplittableRandom(context.seed());
    Duration warmUp = plan.firstWarmUp();
    for (int bits : plan.bits(structure)) {
      run(context, 1 << bits, warmUp.plus(plan.warmUp()), random.split());
      warmUp = Duration.ZERO;
    }
  }

  private void run(StepContext context, int size, Duration warmUp, SplittableRandom random)
      throws IOException {
    IntSet empty = structure.create(size);
    long[] keys = Mix.keys(size, random);
    Storage storage = setting.storage();
    if (storage == null) {
      for (long key : keys) {
        empty.add(key);
      }
      measure(context, size, warmUp, new Mix(empty, size, random));
    } else {
      try (KeptSet set =
          new KeptSet(storage, context.directory(setting.medium()).resolve("store"), empty)) {
        set.fill(keys);
        measure(context, size, warmUp, new Mix(set, size, random));
      }
    }
  }

  private void measure(StepContext context, int size, Duration warmUp, Mix mix) {
    WarmUp warming = new WarmUp(warmUp);
    do {
      mix.run(warming.round().toNanos());
    } while (!warming.isOver());
    List<Double> throughput = new ArrayList<>();
    for (int i = 0; i < plan.samples(); i++) {
      throughput.add(mix.run(plan.sample().toNanos()));
    }
    if (mix.hits() == 0) {
      throw new IllegalStateException(name() + " found none of its keys");
    }
    context.record(
        new Measurement(
            new Subject(
                IntsetSuite.NAME,
                structure.label(),
                setting.target(),
                setting.medium(),
                setting.durability(),
                1,
                size),
            "throughput",
            "ops/s",
            throughput));
  }
}
