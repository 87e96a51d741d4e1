package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a test's program in its own process, with its own file systems if needed. */
public final class ChildJvm {
  private static final long SECONDS_MAX = 120;

  private final List<String> command = new ArrayList<>();

  /**
   * Names a program.
   *
   * @param main the class with the method {@code main}
   * @param arguments for it
   */
  public ChildJvm(Class<?> main, Object... arguments) {
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=ALL-UNNAMED");
    Path target = Path.of(System.getProperty("basedir", ""), "target");
    command.add("-XX:ErrorFile=" + target.resolve("hs_err_pid%p.log"));
    command.add("-cp");
    // The tests may run with modules; their process does without. As a patch of a module the test
    // classes are in neither path.
    command.add(
        String.join(
            File.pathSeparator,
            System.getProperty("java.class.path"),
            System.getProperty("jdk.module.path", ""),
            target.resolve("test-classes").toString()));
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
  }

  private ChildJvm(List<String> command) {
    this.command.addAll(command);
  }

  /**
   * Gives the JVM options.
   *
   * @param options such as {@code -XX:hashCode=2}
   * @return the changed copy
   */
  public ChildJvm withOptions(String... options) {
    ChildJvm changed = new ChildJvm(command);
    changed.command.addAll(changed.command.indexOf("-cp"), List.of(options));
    return changed;
  }

  /**
   * Has commands of the shell run before the program, in a process that sees mounts of its own.
   * They end with the program.
   *
   * @param script the commands; {@code "$@"} is the program
   * @return the changed copy
   */
  public ChildJvm withMounts(String script) {
    return new ChildJvm(List.of("unshare", "-rm")).shell(script, command);
  }

  /**
   * Has commands of the shell run before the program, in a process that root's mounts need: those
   * of devices.
   *
   * @param script the commands; {@code "$@"} is the program
   * @return the changed copy
   */
  public ChildJvm withRootsMounts(String script) {
    return new ChildJvm(List.of("unshare", "-m")).shell(script, command);
  }

  /**
   * Has commands of the shell run before the program.
   *
   * @param script the commands; {@code "$@"} is the program
   * @return the changed copy
   */
  public ChildJvm within(String script) {
    return new ChildJvm(List.of()).shell(script, command);
  }

  private ChildJvm shell(String script, List<String> program) {
    command.addAll(List.of("sh", "-c", "set -e; " + script, "sh"));
    command.addAll(program);
    return this;
  }

  /** Skips the test that asks if {@link #withMounts} can mount nothing here. */
  public static void assumeMounts() {
    String[] command = {"unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"};
    assumeSucceeds("no file system can be mounted", command);
  }

  /**
   * Skips the test that asks if a command does not succeed here.
   *
   * @param why what cannot be tested then
   * @param command the command
   */
  public static void assumeSucceeds(String why, String... command) {
    boolean succeeds;
    String found;
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      found = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      succeeds = process.waitFor() == 0;
    } catch (IOException e) {
      found = e.getMessage();
      succeeds = false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    if (!succeeds) {
      System.out.println("SKIPPED: " + why + ": " + found);
    }
    assumeTrue(succeeds, why + ": " + found);
  }

  /**
   * Starts the program.
   *
   * @return its process, whose errors come out here
   * @throws IOException if it cannot be started
   */
  public Process start() throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Runs the program to its end, which has to be a good one. */
  public void run() {
    Path output = temporaryFile();
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      process.destroyForcibly().waitFor();
      String text = Files.readString(output, StandardCharsets.UTF_8);
      assertTrue(ended, () -> "the process does not end: " + text);
      assertEquals(0, process.exitValue(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      output.toFile().delete();
    }
  }

  private static Path temporaryFile() {
    try {
      return Files.createTempFile("pmstore-child", ".txt");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
