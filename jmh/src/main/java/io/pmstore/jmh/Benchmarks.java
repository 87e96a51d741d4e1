package io.pmstore.jmh;

import io.pmstore.jmh.support.Forks;
import io.pmstore.jmh.support.LlplPools;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts JMH with its own command line, in a process with the options of {@link Forks}, which JMH
 * gives to the JVMs that it forks. The process's environment makes PMDK treat the directory of the
 * benchmarks as persistent memory: PMDK reads that variable from there, and no option of a JVM can
 * set it.
 */
public final class Benchmarks {
  private Benchmarks() {}

  /**
   * Runs the benchmarks.
   *
   * @param args JMH's arguments; {@code -h} lists them
   * @throws IOException if JMH cannot be started, or cannot read or write a file
   * @throws InterruptedException if interrupted while JMH runs
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments();
    if (System.getenv(LlplPools.FORCE) != null && options.contains(Forks.NATIVE_ACCESS)) {
      org.openjdk.jmh.Main.main(args);
      return;
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of(Forks.NATIVE_ACCESS, Forks.UNSAFE_ACCESS));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Benchmarks.class.getName());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put(LlplPools.FORCE, "1");
    System.exit(builder.start().waitFor());
  }
}
