package io.pmstore.oms.cli;

import io.pmstore.oms.flow.FlowGenerator;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.JvmCommand;
import io.pmstore.oms.run.Progress;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.TargetKind;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the demo. */
@Command(
    name = "demo",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "The order management system of a brokerage, keeping its orders in pmstore, and the same on"
          + " SQLite and PostgreSQL.",
      "",
      "Each order is inserted once and then updated --ratio times. Every insertion and every update"
          + " is one execution report and one durable transaction. Afterwards each store is closed,"
          + " reopened and compared with the flow."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything ran, and every store contains what the flow makes it",
      "1:a target failed, a store differs from the flow, or --kill or --cluster found something"
          + " lost or half there",
      "2:wrong options"
    })
public final class OmsCommand implements Callable<Integer> {
  /**
   * The variable that makes PMDK treat a pool that is on no DAX file system as persistent memory.
   */
  private static final String PMDK_FORCE = "PMEM_IS_PMEM_FORCE";

  @Spec private CommandSpec spec;
  @Mixin private final FlowOptions flowOptions = new FlowOptions();
  @Mixin private final StoreOptions storeOptions = new StoreOptions();
  @Mixin private final ClusterOptions clusterOptions = new ClusterOptions();

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Append the results to this file as CSV.")
  private @Nullable Path csv;

  @Option(
      names = "--kill",
      negatable = true,
      description = {
        "Instead of measuring: run the service in another process, kill it with SIGKILL at random"
            + " moments, reopen, and compare what is there with what was acknowledged. The rounds"
            + " go on in one store: each begins where the last was killed. A report that was in"
            + " flight and is found counts as acknowledged from then on.",
        "Targets: pmstore,pmstore-llpl unless given; llpl-raw and sqlite are possible too, as"
            + " controls.",
        "With --cluster the leader is killed in any case, unless --no-kill is given."
      })
  private @Nullable Boolean killing;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      defaultValue = "10",
      description = "How often to kill each target. Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--kill-seed",
      paramLabel = "SEED",
      description =
          "What the moments of the kills are drawn from. Default: another one each time; it is"
              + " printed.")
  private @Nullable Long killSeed;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli asks for it by its annotation
  private boolean help;

  private OmsCommand() {}

  /** Makes the command with its default options. It explains wrong options in one line. */
  public static CommandLine commandLine() {
    return new CommandLine(new OmsCommand())
        .setParameterExceptionHandler(
            (wrong, args) -> {
              PrintWriter err = wrong.getCommandLine().getErr();
              err.println("demo: " + wrong.getMessage());
              err.println("demo --help lists the options");
              return ExitCode.USAGE;
            });
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = spec.commandLine();
    PrintStream log = System.err;
    boolean kill = Boolean.TRUE.equals(killing);
    List<TargetKind> targets;
    try {
      clusterOptions.check(line.getParseResult());
      flowOptions.check();
      storeOptions.check();
      targets = storeOptions.targets(kill, log);
      require(rounds >= 1, "--rounds must be at least 1, not " + rounds);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, e.getMessage(), e);
    }
    if (clusterOptions.cluster()) {
      return runCluster(log);
    }
    if (needsPmdkForce(targets)) {
      return runAgainWithPmdkForce(line.getParseResult().originalArgs());
    }
    try (Workspace workspace = Workspace.create(storeOptions)) {
      OrderFlow flow = readFlow(kill, kill ? workspace.base().resolve("flow.fix") : null, log);
      if (flow.events().isEmpty()) {
        log.println("the flow has no execution report; there is nothing to run");
        return ExitCode.SOFTWARE;
      }
      boolean good =
          kill
              ? new KillMode(storeOptions, workspace, flow, rounds, killSeed(), log)
                  .run(targets, flowFile(workspace))
              : new CompareMode(storeOptions, workspace, flow, flowOptions.describe(), csv, log)
                  .run(targets);
      return good ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (IOException | RuntimeException e) {
      return failed(e, log);
    }
  }

  private int runCluster(PrintStream log) throws InterruptedException {
    try (Workspace workspace = Workspace.create(storeOptions)) {
      ClusterMode mode =
          new ClusterMode(
              workspace,
              storeOptions.clusterThreads(),
              clusterOptions.seconds(),
              !Boolean.FALSE.equals(killing),
              log);
      return mode.run() ? ExitCode.OK : ExitCode.SOFTWARE;
    } catch (IOException | RuntimeException e) {
      return failed(e, log);
    }
  }

  private static int failed(Exception e, PrintStream log) {
    log.println("demo: " + e.getMessage());
    if (e instanceof RuntimeException) {
      e.printStackTrace(log);
    }
    return ExitCode.SOFTWARE;
  }

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  private long killSeed() {
    return killSeed != null ? killSeed : System.nanoTime();
  }

  private Path flowFile(Workspace workspace) {
    return flowOptions.flow() != null ? flowOptions.flow() : workspace.base().resolve("flow.fix");
  }

  private OrderFlow readFlow(boolean kill, @Nullable Path killCopy, PrintStream log)
      throws IOException {
    Path file = flowOptions.flow();
    if (file != null) {
      log.println("reading " + file);
      try (Progress progress = new Progress("reading", 0, log)) {
        OrderFlow flow = FlowSource.read(file, count -> set(progress, count));
        flow.problems().forEach(problem -> log.println(file + ": " + problem + "; skipped"));
        return flow;
      }
    }
    FlowSettings settings = flowOptions.settings(kill);
    log.printf(
        "making %,d FIX messages: %,d orders of which up to %d live at once, each updated %d times,"
            + " seed %d%n",
        settings.reports(),
        settings.orders(),
        FlowGenerator.LIVE_ORDERS,
        settings.ratio(),
        settings.seed());
    try (Progress progress = new Progress("FIX messages", settings.reports(), log)) {
      Path copy = flowOptions.writeFlow() != null ? flowOptions.writeFlow() : killCopy;
      OrderFlow flow = FlowSource.generate(settings, copy, count -> set(progress, count));
      if (copy != null && killCopy != null && !copy.equals(killCopy)) {
        Files.copy(copy, killCopy);
      }
      return flow;
    }
  }

  private static void set(Progress progress, int count) {
    progress.done().add(count - progress.done().sum());
  }

  private boolean needsPmdkForce(List<TargetKind> targets) {
    return storeOptions.medium() == Medium.PMEM
        && targets.stream().anyMatch(TargetKind::usesLlpl)
        && !"1".equals(System.getenv(PMDK_FORCE));
  }

  /**
   * PMDK reads the variable when its library is loaded, so it must be there before this process
   * begins.
   */
  private static int runAgainWithPmdkForce(List<String> arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(JvmCommand.of(OmsDemo.class, arguments)).inheritIO();
    builder.environment().put(PMDK_FORCE, "1");
    Process process = builder.start();
    Thread stopper = new Thread(process::destroy, "stop-child");
    Runtime.getRuntime().addShutdownHook(stopper);
    int exit = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(stopper);
    return exit;
  }
}
