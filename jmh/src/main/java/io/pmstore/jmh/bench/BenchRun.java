package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.ResultFiles;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.suite.Step;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A run: its steps one after the other, and their results in the directory of the run. */
final class BenchRun implements AutoCloseable {
  private static final int TIMES_ESTIMATE = 5;

  private final List<Step> steps;
  private final Duration grace;
  private final Path out;
  private final ResultsFile results;
  private final StepFork fork;
  private final Workspace workspace;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread atExit = new Thread(this::closeAtExit, "remove-bench-directories");

  /**
   * Prepares. From now on, the end of this JVM ends the step that runs, and removes the workspace.
   *
   * @param steps what to run, in order
   * @param grace how long a step may take beyond {@value #TIMES_ESTIMATE} times its estimate
   * @param out where results are written
   * @param fork runs the steps
   * @param workspace closed with the run
   */
  BenchRun(
      List<Step> steps,
      Duration grace,
      Path out,
      ResultsFile results,
      StepFork fork,
      Workspace workspace) {
    this.steps = steps;
    this.grace = grace;
    this.out = out;
    this.results = results;
    this.fork = fork;
    this.workspace = workspace;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Runs all steps, and writes the table of the results.
   *
   * @param log where progress is told
   * @param terminal whether progress is shown to somebody
   * @return whether all steps succeeded or were omitted
   */
  boolean run(PrintStream log, boolean terminal) throws IOException, InterruptedException {
    results.write();
    List<Omission> failures = new ArrayList<>();
    List<String> names = steps.stream().map(Step::name).toList();
    List<Duration> estimates = steps.stream().map(Step::estimate).toList();
    try (ProgressLine progress =
        new ProgressLine(names, estimates, log, terminal, System::nanoTime)) {
      for (Step step : steps) {
        progress.started();
        Results recorded = fork.run(step, step.estimate().multipliedBy(TIMES_ESTIMATE).plus(grace));
        progress.ended();
        recorded.omissions().forEach(o -> progress.say(o.step() + ": " + o.reason()));
        if (StepFork.failed(recorded)) {
          failures.addAll(recorded.omissions());
        }
        results.add(recorded);
      }
    }
    ResultFiles.writeCsv(results.results(), out.resolve("results.csv"));
    if (!failures.isEmpty()) {
      log.printf(
          "%d of %d steps failed; what they printed is in %s%n",
          failures.size(), steps.size(), out.resolve("logs"));
    }
    return failures.isEmpty();
  }

  private void closeAtExit() {
    fork.stop();
    try {
      closeWorkspace();
    } catch (IOException e) {
      System.err.println("bench: " + e);
    }
  }

  private void closeWorkspace() throws IOException {
    if (closed.compareAndSet(false, true)) {
      workspace.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // The JVM is ending: the hook does it.
    }
    closeWorkspace();
  }
}
