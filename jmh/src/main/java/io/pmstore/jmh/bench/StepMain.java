package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The main class of the JVM that runs one step. */
public final class StepMain {
  /** The beginning of the reason of an omission whose step failed. */
  static final String FAILED = "failed: ";

  private StepMain() {}

  /**
   * Runs the step.
   *
   * @param args as {@link #arguments} makes them
   * @throws IOException if the results cannot be written
   */
  public static void main(String[] args) throws IOException {
    System.exit(run(Suites.all(), List.of(args)));
  }

  /** The arguments for the main class. */
  static List<String> arguments(
      Step step, Scale scale, long seed, Workspace workspace, Path output) {
    return List.of(
        step.name(),
        scale.name(),
        Long.toString(seed),
        workspace.file().toString(),
        workspace.pmem().toString(),
        output.toString());
  }

  /**
   * Runs the step and writes its results. A failure is told in the results, and with its stack
   * trace on standard error.
   *
   * @param suites where the step is found
   * @param arguments as {@link #arguments} makes them
   * @return the exit code: 0, or 1 after a failure
   * @throws IOException if the results cannot be written; then there is no such file
   */
  static int run(List<Suite> suites, List<String> arguments) throws IOException {
    String name = arguments.get(0);
    Scale scale = Scale.valueOf(arguments.get(1));
    Path output = Path.of(arguments.get(5));
    int exit = 0;
    Results results;
    try {
      results =
          StepRecorder.run(
              find(suites, scale, name),
              scale,
              Long.parseLong(arguments.get(2)),
              Path.of(arguments.get(3)),
              Path.of(arguments.get(4)));
    } catch (Throwable e) {
      e.printStackTrace();
      results = failure(name, e.getMessage() == null ? e.toString() : e.getMessage());
      exit = 1;
    }
    ResultsFile.write(results, output);
    return exit;
  }

  /** The results of a step that failed. */
  static Results failure(String step, String message) {
    return new Results(
        Map.of(), List.of(), List.of(), List.of(new Omission(step, FAILED + message)));
  }

  private static Step find(List<Suite> suites, Scale scale, String name) {
    return suites.stream()
        .flatMap(suite -> suite.steps(scale).stream())
        .filter(step -> step.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no step '" + name + "'"));
  }
}
