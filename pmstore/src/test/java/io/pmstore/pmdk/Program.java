package io.pmstore.pmdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A user's program, in a JVM of its own that PMDK may end. */
public final class Program {
  private static final long SECONDS_MAX = 180;

  private final Class<?> main;
  private final String[] arguments;
  private final Map<String, String> environment = new HashMap<>();
  private List<String> options =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
  private UnaryOperator<List<String>> classPath = UnaryOperator.identity();

  public Program(Class<?> main, Object... arguments) {
    this.main = main;
    this.arguments = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
  }

  /** Takes these options of the JVM instead of those that LLPL needs. */
  Program withOptions(String... instead) {
    options = List.of(instead);
    return this;
  }

  /** Adds options of the JVM. */
  public Program with(String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    options = all;
    return this;
  }

  Program withEnvironment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Program withClassPath(UnaryOperator<List<String>> change) {
    classPath = change;
    return this;
  }

  /** Runs the program to its end and demands that it is a good one. */
  public List<String> run() {
    return run(0);
  }

  /** Starts the program, to be killed; its errors go where those of the tests go. */
  public Process start() {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().putAll(environment);
      return builder.start();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs the program to its end and gives back what it printed. */
  public List<String> run(int exit) {
    try {
      Path output = Files.createTempFile("pmstore-program", ".txt");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(command()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        String text = String.join("\n", lines);
        assertTrue(ended, () -> "the program does not end:\n" + text);
        assertEquals(exit, process.exitValue(), text);
        return lines;
      } finally {
        Files.delete(output);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> command() throws IOException {
    List<String> path = new ArrayList<>();
    for (String property : List.of("java.class.path", "jdk.module.path")) {
      path.addAll(Arrays.asList(System.getProperty(property, "").split(File.pathSeparator)));
    }
    path.add(Path.of(System.getProperty("basedir", ""), "target", "test-classes").toString());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/stdout",
            "-Dstdout.encoding=UTF-8"));
    for (String name : List.of("pmstore.seed", "pmstore.traps.flips", "pmstore.large.commits")) {
      if (System.getProperty(name) != null) {
        command.add("-D" + name + "=" + System.getProperty(name));
      }
    }
    command.addAll(options);
    command.addAll(
        List.of("-cp", String.join(File.pathSeparator, classPath.apply(path)), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
