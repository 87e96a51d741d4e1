package io.pmstore.cli.command;

import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Screen;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The tool: what all commands share. */
@Command(
    name = "pm",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows, checks, exports and compares pmstore stores, without the program's classes.",
    footer = {
      "",
      "A path looks like exchange.orders[17].price, or @184320 for an address.",
      "Exit codes: 0 done; 1 done, and the answer is no (faults, differences, unreachable);",
      "2 the command line is wrong; 3 the store cannot be used, or lacks what was asked for.",
    },
    versionProvider = PmCommand.Version.class,
    subcommands = {
      InfoCommand.class,
      VerifyCommand.class,
      ClassesCommand.class,
      ShowCommand.class,
      FindCommand.class,
      WhyCommand.class,
      DiffCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      BackupCommand.class,
      CompactCommand.class,
      RepairCommand.class,
      RemoveRootCommand.class,
      UpgradeCommand.class,
      LogCommand.class,
      ShellCommand.class,
      CommandLine.HelpCommand.class,
    })
public final class PmCommand implements Callable<Integer> {
  /** Done. */
  public static final int OK = 0;

  /** Done, and the answer is no. */
  public static final int NO = 1;

  /** The store or the files cannot be used, or lack what was asked for. */
  public static final int FAILED = 3;

  private final Screen screen;
  private final @Nullable OpenedStore shared;

  @Spec private CommandSpec spec;

  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the result as JSON.")
  private boolean json;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "With an error, print the stack trace.")
  private boolean stacktrace;

  private PmCommand(Screen screen, @Nullable OpenedStore shared) {
    this.screen = screen;
    this.shared = shared;
  }

  /** The version of the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = PmCommand.class.getPackage().getImplementationVersion();
      return new String[] {"pm " + (version == null ? "(not from a jar)" : version)};
    }
  }

  /** Runs a command. Returns the exit code. */
  public static int run(Screen screen, String... args) {
    return run(screen, null, args);
  }

  /** Runs a command on a store that the caller has opened, if it is of the same directory. */
  static int run(Screen screen, @Nullable OpenedStore shared, String... args) {
    PmCommand pm = new PmCommand(screen, shared);
    CommandLine line = pm.commandLine();
    try {
      int code = line.execute(args);
      if (screen.out().checkError()) { // flushes it; a writer for printing throws nothing
        screen.err().println("pm: the output could not be written; check the disk or the pipe");
        return FAILED;
      }
      return code;
    } catch (Error e) { // the JVM would exit with 1, which is an answer
      return Failure.report(screen, e, pm.stacktrace, pm.json);
    } finally {
      screen.err().flush();
    }
  }

  /** Returns the parser of this tool's command lines. */
  static CommandLine parser(Screen screen) {
    return new PmCommand(screen, null).commandLine();
  }

  private CommandLine commandLine() {
    return new CommandLine(this)
        .setOut(screen.out())
        .setErr(screen.err())
        .setUsageHelpWidth(Math.min(screen.width(), 120))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(this::wrongLine)
        .setExecutionExceptionHandler(
            (e, command, result) -> Failure.report(screen, e, stacktrace, json));
  }

  private int wrongLine(ParameterException e, String[] args) {
    String name = e.getCommandLine().getCommandSpec().qualifiedName(" ");
    screen.err().println("pm: " + Failure.oneLine(e.getMessage()) + "; try " + name + " --help");
    if (stacktrace) {
      e.printStackTrace(screen.err());
    }
    return CommandLine.ExitCode.USAGE;
  }

  /** Without a command. */
  @Override
  public Integer call() {
    spec.commandLine().usage(screen.out());
    return OK;
  }

  Screen screen() {
    return screen;
  }

  boolean isJson() {
    return json;
  }

  /** Opens a store for reading, or returns the one of the prompt. */
  Lease open(Path directory) {
    return shared != null && shared.directory().equals(directory)
        ? new Lease(shared, false)
        : new Lease(OpenedStore.open(directory), true);
  }

  /**
   * A store that a command uses.
   *
   * @param owned true if the command closes it
   */
  record Lease(OpenedStore store, boolean owned) implements AutoCloseable {
    @Override
    public void close() {
      if (owned) {
        store.close();
      }
    }
  }
}
