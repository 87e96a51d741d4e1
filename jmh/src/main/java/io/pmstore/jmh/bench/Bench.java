package io.pmstore.jmh.bench;

import io.pmstore.jmh.report.Report;
import io.pmstore.jmh.results.ResultFiles;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The main class of {@code ./bench}: its command line. */
@Command(
    name = "bench",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Measures pmstore beside its rivals: runs the steps of the suites, each in a JVM of its own,"
          + " and writes results.json, results.csv and a report.",
      "",
      "bench report DIR writes the report again."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every step succeeded, or was omitted for want of something on this machine",
      "1:a step failed; or nothing could be measured or written",
      "2:wrong options"
    })
public final class Bench implements Callable<Integer> {
  /** The name of the file with all results, in the directory of a run. */
  static final String RESULTS = "results.json";

  static final String OUT = "--out";

  private static final Duration GRACE = Duration.ofSeconds(60);

  private final List<Suite> suites;
  private final Class<?> stepMain;
  private final ReportWriter report;
  private final Duration grace;

  @Spec private CommandSpec spec;
  @Mixin private final RunOptions options = new RunOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli asks for it by its annotation
  private boolean help;

  private Bench(List<Suite> suites, Class<?> stepMain, ReportWriter report, Duration grace) {
    this.suites = suites;
    this.stepMain = stepMain;
    this.report = report;
    this.grace = grace;
  }

  /**
   * Runs what the arguments say.
   *
   * @param args {@code --help} tells them
   */
  public static void main(String[] args) {
    System.exit(commandLine(Suites.all(), StepMain.class, Report::write, GRACE).execute(args));
  }

  /**
   * Makes the command.
   *
   * @param suites what there is to run
   * @param stepMain the main class that runs a step of these suites
   * @param report writes the report
   * @param grace how long a step may take beyond five times its estimate
   * @return the command; it tells what is wrong in one line
   */
  static CommandLine commandLine(
      List<Suite> suites, Class<?> stepMain, ReportWriter report, Duration grace) {
    return new CommandLine(new Bench(suites, stepMain, report, grace))
        .addSubcommand("report", new ReportCommand(report))
        .setParameterExceptionHandler(
            (wrong, args) -> {
              PrintWriter err = wrong.getCommandLine().getErr();
              err.println("bench: " + wrong.getMessage());
              err.println("bench --help lists the options");
              return ExitCode.USAGE;
            })
        .setExecutionExceptionHandler(
            (failed, line, result) -> {
              if (failed instanceof CancellationException) {
                return ExitCode.SOFTWARE;
              }
              if (failed instanceof IOException
                  || failed instanceof UncheckedIOException
                  || failed instanceof IllegalArgumentException) {
                line.getErr().println("bench: " + inOneLine(failed));
              } else {
                failed.printStackTrace(line.getErr());
              }
              return ExitCode.SOFTWARE;
            });
  }

  /** Returns the file and the fault of an I/O error, in one line. */
  private static String inOneLine(Throwable failed) {
    Throwable cause = failed.getCause();
    String message =
        failed instanceof FileSystemException file && file.getReason() == null
            ? failed.toString() // without a reason, the message is only the file
            : failed.getMessage();
    String all =
        failed instanceof UncheckedIOException && cause != null
            ? message + ": " + inOneLine(cause)
            : String.valueOf(message);
    return all.replaceAll("\\s*\\R\\s*", " ");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = spec.commandLine();
    List<Step> steps;
    Path out;
    try {
      steps = options.steps(suites);
      if (options.list()) {
        list(steps, line.getOut());
        return ExitCode.OK;
      }
      options.check();
      out = options.out();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line, e.getMessage(), e);
    }
    Files.createDirectories(out);
    return run(steps, out, command(line.getParseResult().originalArgs()));
  }

  /** The command as it can be pasted into a shell. Where the results went is no part of it. */
  static String command(List<String> args) {
    Stream<String> kept =
        IntStream.range(0, args.size())
            .filter(i -> !args.get(i).startsWith(OUT) && (i == 0 || !args.get(i - 1).equals(OUT)))
            .mapToObj(args::get);
    return Stream.concat(Stream.of("./bench"), kept.map(Bench::quoted))
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String arg) {
    return arg.matches("[\\w./,=:+-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
  }

  private int run(List<Step> steps, Path out, String command)
      throws IOException, InterruptedException {
    Path file = options.file(out);
    Path pmem = options.pmem();
    long seed = options.seed();
    ResultsFile results =
        new ResultsFile(
            out.resolve(RESULTS),
            RunFacts.collect(command, options.scale(), seed, options.rounds(), file, pmem));
    System.err.printf("%d steps, seed %d, results in %s%n", steps.size(), seed, out);
    boolean good;
    Workspace workspace = Workspace.create(file, pmem);
    try (BenchRun run =
        new BenchRun(
            steps,
            grace,
            out,
            results,
            new StepFork(stepMain, workspace, options.scale(), seed, out),
            workspace)) {
      good =
          run.run(
              System.err,
              Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false));
    }
    report.write(results.results(), out);
    return good ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static void list(List<Step> steps, PrintWriter out) {
    Duration all = Duration.ZERO;
    for (Step step : steps) {
      out.printf(Locale.ROOT, "%6.1f s  %s%n", step.estimate().toMillis() / 1e3, step.name());
      all = all.plus(step.estimate());
    }
    out.printf(Locale.ROOT, "%d steps, about %s in all%n", steps.size(), ProgressLine.text(all));
    out.flush();
  }

  /** Writes the report of a run again. */
  @Command(name = "report", description = "Writes the report of a run again.")
  static final class ReportCommand implements Callable<Integer> {
    private final ReportWriter report;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "A directory with results.json.")
    private Path directory;

    ReportCommand(ReportWriter report) {
      this.report = report;
    }

    @Override
    public Integer call() throws IOException {
      Path results = directory.resolve(RESULTS);
      if (!Files.exists(results)) {
        throw new ParameterException(spec.commandLine(), "there is no " + results);
      }
      Results read = ResultFiles.readJson(results);
      ResultFiles.writeCsv(read, directory.resolve("results.csv"));
      report.write(read, directory);
      return ExitCode.OK;
    }
  }
}
