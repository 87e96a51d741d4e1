package io.pmstore.jmh.bench;

import io.pmstore.jmh.results.ResultFiles;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.support.Forks;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.oms.run.JvmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps one after the other, each in a JVM of its own. {@link #stop} may be called by another
 * thread.
 */
final class StepFork {
  /** So long a JVM has to end by itself when asked to: a database server has to be stopped. */
  private static final Duration FAREWELL = Duration.ofSeconds(20);

  /** 128 and the number of SIGINT or SIGTERM. */
  private static final Set<Integer> EXITS_OF_SIGNALS = Set.of(130, 143);

  /** Control-C is sent to this process and to the step's, which may be the first to end. */
  private static final Duration SIGNAL_REACHES_BOTH = Duration.ofSeconds(2);

  private final Class<?> mainClass;
  private final Workspace workspace;
  private final Scale scale;
  private final long seed;
  private final Path out;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable Process running;

  /**
   * Prepares.
   *
   * @param mainClass {@link StepMain}, or one that does the same with other suites
   * @param out where fragments and logs are written
   */
  StepFork(Class<?> mainClass, Workspace workspace, Scale scale, long seed, Path out) {
    this.mainClass = mainClass;
    this.workspace = workspace;
    this.scale = scale;
    this.seed = seed;
    this.out = out;
  }

  /**
   * Runs a step to its end. If it fails, its output stays in the directory {@code logs}.
   *
   * @param limit after which it is ended
   * @return what it recorded, or one omission that begins with {@link StepMain#FAILED}
   * @throws IOException if no JVM can be started, or a file cannot be written
   * @throws CancellationException if {@link #stop} was called
   */
  Results run(Step step, Duration limit) throws IOException, InterruptedException {
    Path fragment = out.resolve("fragment.json");
    Path log =
        Files.createDirectories(out.resolve("logs"))
            .resolve(step.name().replaceAll("[^A-Za-z0-9.=-]+", "_") + ".log");
    Files.deleteIfExists(fragment);
    Process process = start(step, fragment, log);
    boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      end(process);
    }
    int exit = process.waitFor();
    checkStopped(EXITS_OF_SIGNALS.contains(exit) ? SIGNAL_REACHES_BOTH : Duration.ZERO);
    Results results = results(step, fragment, ended, limit, exit);
    if (ended && exit == 0) {
      Files.deleteIfExists(log);
    }
    Files.deleteIfExists(fragment);
    workspace.clear();
    return results;
  }

  private static Results results(
      Step step, Path fragment, boolean ended, Duration limit, int exit) {
    if (!ended) {
      return StepMain.failure(
          step.name(), "not done after " + limit.toSeconds() + " s, and was ended");
    }
    if (!Files.exists(fragment)) {
      return StepMain.failure(
          step.name(), "its JVM ended with exit code " + exit + " and left no results");
    }
    Results results = ResultFiles.readJson(fragment);
    return exit == 0 || failed(results)
        ? results
        : StepMain.failure(step.name(), "its JVM ended with exit code " + exit);
  }

  /** Returns true if these are the results of a failed step. */
  static boolean failed(Results results) {
    return results.omissions().stream()
        .anyMatch(omission -> omission.reason().startsWith(StepMain.FAILED));
  }

  private synchronized Process start(Step step, Path fragment, Path log) throws IOException {
    if (stopped.getCount() == 0) {
      throw new CancellationException();
    }
    List<String> command =
        new ArrayList<>(
            JvmCommand.of(mainClass, StepMain.arguments(step, scale, seed, workspace, fragment)));
    command.addAll(
        1,
        List.of(
            Forks.NATIVE_ACCESS,
            Forks.UNSAFE_ACCESS,
            "-D" + TemporaryDirectory.FILE + "=" + workspace.file(),
            "-D" + TemporaryDirectory.PMEM + "=" + workspace.pmem()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    if (step.forcesPersistentMemory()) {
      builder.environment().put(LlplPools.FORCE, "1");
    } else {
      builder.environment().remove(LlplPools.FORCE);
    }
    Process process = builder.start();
    process.getOutputStream().close();
    running = process;
    return process;
  }

  /** Ends the running step, and starts no other. */
  void stop() {
    Process process;
    synchronized (this) {
      stopped.countDown();
      process = running;
    }
    if (process != null && process.isAlive()) {
      end(process);
    }
  }

  private void checkStopped(Duration wait) throws InterruptedException {
    if (stopped.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new CancellationException();
    }
  }

  private static void end(Process process) {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    descendants.forEach(ProcessHandle::destroyForcibly);
  }
}
