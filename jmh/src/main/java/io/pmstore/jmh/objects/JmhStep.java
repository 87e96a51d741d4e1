package io.pmstore.jmh.objects;

import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.support.Forks;
import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.oms.targets.NativeLibraries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Benchmarks of one class. JMH gives each a JVM of its own, while the step's waits; only for a
 * moment's run all are in this one.
 */
final class JmhStep implements Step {
  private static final TimeValue ITERATION = TimeValue.milliseconds(200);
  private static final int WARM_UPS = 2;
  private static final int ITERATIONS = 3;
  private static final int SHOTS = 5;

  private final JmhPlan plan;
  private final Scale scale;
  private final Duration estimate;

  /**
   * Makes the step.
   *
   * @param estimateOfFork how long a JVM of JMH takes
   */
  JmhStep(JmhPlan plan, Scale scale, Duration estimateOfFork) {
    this.plan = plan;
    this.scale = scale;
    this.estimate = estimateOfFork.multipliedBy(plan.forks()).plusMillis(500);
  }

  @Override
  public String name() {
    return JmhFigures.SUITE + "/" + plan.name();
  }

  @Override
  public Duration estimate() {
    return estimate;
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = NativeLibraries.missingForLlpl();
    if (missing != null && needsNativeLibraries()) {
      context.omit(missing);
      return;
    }
    Path file = context.directory(Subject.FILE);
    Path pmem = context.directory(Subject.PMEM);
    ChainedOptionsBuilder options =
        plan.options()
            .jvmArgsAppend(
                Forks.NATIVE_ACCESS,
                Forks.UNSAFE_ACCESS,
                "-D" + TemporaryDirectory.FILE + "=" + file,
                "-D" + TemporaryDirectory.PMEM + "=" + pmem);
    Collection<RunResult> results =
        new Runner(
                switch (scale) {
                  case SMOKE -> moment(options).build();
                  case QUICK -> quick(options).build();
                  case FULL -> options.forks(1).build();
                })
            .run();
    for (RunResult result : results) {
      JmhFigures.of(result).forEach(context::record);
    }
  }

  private boolean needsNativeLibraries() {
    return JmhFigures.medium(plan.name() + ".", plan.storage()).equals(Subject.PMEM);
  }

  private static ChainedOptionsBuilder moment(ChainedOptionsBuilder options) {
    return options
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(2)
        .measurementTime(TimeValue.milliseconds(10))
        .verbosity(VerboseMode.SILENT);
  }

  private ChainedOptionsBuilder quick(ChainedOptionsBuilder options) {
    Mode mode = plan.benchmark().getAnnotation(BenchmarkMode.class).value()[0];
    return options
        .forks(1)
        .warmupIterations(mode == Mode.SingleShotTime ? 1 : WARM_UPS)
        .warmupTime(ITERATION)
        .measurementIterations(mode == Mode.SingleShotTime ? SHOTS : ITERATIONS)
        .measurementTime(ITERATION);
  }
}
