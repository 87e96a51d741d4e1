package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Steps that do at once what steps can do; and the main class for one of them. */
final class TinySuite implements Suite {
  /** What a step does. */
  private interface Work {
    void run(StepContext context) throws Exception;
  }

  private record TinyStep(String name, Work work, boolean forcesPersistentMemory) implements Step {
    TinyStep(String name, Work work) {
      this(name, work, true);
    }

    @Override
    public Duration estimate() {
      return Duration.ofMillis(200);
    }

    @Override
    public void run(StepContext context) throws Exception {
      work.run(context);
    }
  }

  public static void main(String[] args) throws IOException {
    System.exit(StepMain.run(List.of(new TinySuite()), List.of(args)));
  }

  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public List<Step> steps(Scale scale) {
    return List.of(
        new TinyStep("tiny/good", TinySuite::good),
        new TinyStep("tiny/omitted", context -> context.omit("this machine has no such thing")),
        new TinyStep("tiny/silent", context -> {}),
        new TinyStep("tiny/throwing", TinySuite::fail),
        new TinyStep("tiny/exiting", TinySuite::exit),
        new TinyStep("tiny/looking", TinySuite::look),
        new TinyStep("tiny/hanging", TinySuite::hang),
        new TinyStep("tiny/unforced", TinySuite::unforced, false));
  }

  static Subject subject(String target) {
    return new Subject("tiny", "work", target, "file", "none", 1, 0);
  }

  private static void exit(StepContext context) throws Exception {
    Files.writeString(context.directory("file").resolve("left"), "x");
    Runtime.getRuntime().halt(7);
  }

  /** Fails if an earlier step has left something. */
  private static void look(StepContext context) throws Exception {
    Path own = context.directory("file");
    try (Stream<Path> all = Files.list(own.getParent())) {
      List<Path> others = all.filter(path -> !path.equals(own)).toList();
      context.omit("beside its directory: " + others);
    }
  }

  private static void hang(StepContext context) throws Exception {
    Path started = context.directory("file").resolve("pid");
    Files.writeString(started, Long.toString(ProcessHandle.current().pid()) + "\n");
    TimeUnit.HOURS.sleep(1);
  }

  private static void unforced(StepContext context) {
    context.omit("PMEM_IS_PMEM_FORCE=" + System.getenv("PMEM_IS_PMEM_FORCE"));
  }

  private static void good(StepContext context) throws Exception {
    Files.writeString(context.directory("file").resolve("used"), "x");
    Files.writeString(context.directory("pmem").resolve("used"), "x");
    context.record(Measurement.of(subject("seed"), "time", "ns", context.seed()));
    context.record(
        Measurement.of(
            subject("force"), "time", "ns", Integer.parseInt(System.getenv("PMEM_IS_PMEM_FORCE"))));
  }

  private static void fail(StepContext context) throws Exception {
    Files.writeString(context.directory("file").resolve("left"), "x");
    context.record(Measurement.of(subject("half"), "time", "ns", 1));
    throw new IllegalStateException("the wheel came off");
  }
}
