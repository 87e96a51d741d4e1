package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.oms.run.Directories;
import io.pmstore.oms.targets.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs a step in this JVM and keeps what it records. For the thread that runs the step.
 *
 * <p>What an exception ends has no result, whatever it recorded before. One that says that a target
 * cannot be had on this machine makes it an omission.
 */
public final class StepRecorder implements StepContext {
  private final Step step;
  private final Scale scale;
  private final long seed;
  private final Path file;
  private final Path pmem;
  private final List<Path> directories = new ArrayList<>();
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<LatencyCurve> latencies = new ArrayList<>();
  private final List<Omission> omissions = new ArrayList<>();

  private StepRecorder(Step step, Scale scale, long seed, Path file, Path pmem) {
    this.step = step;
    this.scale = scale;
    this.seed = seed;
    this.file = file;
    this.pmem = pmem;
  }

  /**
   * Runs a step, and deletes its directories.
   *
   * @param scale how much it measures
   * @param seed what everything random comes from
   * @param file where its directories for ordinary files are made
   * @param pmem where those for persistent memory are made
   * @return what it recorded, without anything of the run; at least one measurement or omission
   * @throws IllegalStateException if it recorded nothing
   * @throws Exception if it could not do its work, or its directories cannot be deleted
   */
  public static Results run(Step step, Scale scale, long seed, Path file, Path pmem)
      throws Exception {
    StepRecorder recorder = new StepRecorder(step, scale, seed, file, pmem);
    try {
      recorder.checkEnvironment();
      step.run(recorder);
    } catch (UnavailableException e) {
      recorder.measurements.clear();
      recorder.latencies.clear();
      recorder.omit(String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    } finally {
      for (Path directory : recorder.directories) {
        Directories.delete(directory);
      }
    }
    if (recorder.measurements.isEmpty() && recorder.omissions.isEmpty()) {
      throw new IllegalStateException(step.name() + " ended without a measurement");
    }
    return new Results(Map.of(), recorder.measurements, recorder.latencies, recorder.omissions);
  }

  private void checkEnvironment() {
    if (!step.forcesPersistentMemory()
        && scale != Scale.SMOKE
        && System.getenv(LlplPools.FORCE) != null) {
      throw new IllegalStateException(
          LlplPools.FORCE + " is set: PMDK would not make an ordinary file durable");
    }
  }

  @Override
  public long seed() {
    return seed;
  }

  @Override
  public Path directory(String medium) throws IOException {
    Path parent =
        switch (medium) {
          case Subject.FILE -> file;
          case Subject.PMEM -> pmem;
          default ->
              throw new IllegalArgumentException(
                  "there is no directory on the medium '" + medium + "', only on file and pmem");
        };
    Path directory = Workspace.directory(parent);
    directories.add(directory);
    return directory;
  }

  @Override
  public void record(Measurement measurement) {
    measurements.add(measurement);
  }

  @Override
  public void record(LatencyCurve curve) {
    latencies.add(curve);
  }

  @Override
  public void omit(String reason) {
    omissions.add(new Omission(step.name(), reason));
  }
}
