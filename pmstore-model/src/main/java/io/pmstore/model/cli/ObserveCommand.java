package io.pmstore.model.cli;

import io.pmstore.jmh.report.Numbers;
import io.pmstore.model.observe.Observation;
import io.pmstore.model.predict.Workload;
import io.pmstore.model.predict.WorkloadFile;
import io.pmstore.model.profile.ProfileFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./model observe}. */
@Command(
    name = "observe",
    description = "Counts what the operations of a workload read, write and make durable.",
    mixinStandardHelpOptions = true)
final class ObserveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "a directory on the memory of the profile")
  private Path directory;

  @Option(
      names = "--workload",
      description = "oms, ycsb-a to ycsb-f, or the name of a class that is an ObservedWorkload",
      required = true)
  private String workload = "";

  @Option(
      names = "--class-path",
      description = "where that class and those that it uses are; pmstore's own are not needed",
      split = "${sys:path.separator}")
  private List<Path> classPath = List.of();

  @Option(names = "--profile", required = true, description = "of the memory below DIR")
  private String profile = "";

  @Option(names = "--out", description = "the workload to write (default: ${DEFAULT-VALUE})")
  private Path out = Path.of("workload.json");

  @Option(
      names = "--size",
      description = "records loaded, or reports applied, before (default: ${DEFAULT-VALUE})")
  private long size = 200_000;

  @Option(names = "--count", description = "operations to observe (default: ${DEFAULT-VALUE})")
  private long count = 200_000;

  @Option(names = "--seed", description = "of the workload (default: ${DEFAULT-VALUE})")
  private long seed = 1;

  @Override
  public Integer call() throws Exception {
    PrintWriter output = spec.commandLine().getOut();
    Workload observed =
        new Observation(
                workload, classPath, ProfileFile.read(profile), directory, size, count, seed)
            .run();
    WorkloadFile.write(observed, out);
    output.printf(
        "%-18s %6s %10s %10s %10s %10s %10s %8s %8s%n",
        "operation",
        "share",
        "processor",
        "lines read",
        "written",
        "awaited",
        "log bytes",
        "records",
        "barriers");
    for (Workload.Operation one : observed.operations()) {
      output.printf(
          "%-18s %5.1f%% %7s ns %10s %10s %10s %10s %8s %8s%n",
          one.kind(),
          100 * one.share(),
          Numbers.of(one.processorNanos()),
          Numbers.of(one.linesRead()),
          Numbers.of(one.linesWritten()),
          Numbers.of(one.linesAwaited()),
          Numbers.of(one.logBytes()),
          Numbers.of(one.logRecords()),
          Numbers.of(one.barriers()));
    }
    output.println("written: " + out);
    output.flush();
    return 0;
  }
}
