package io.pmstore.model.cli;

import io.pmstore.PmStoreException;
import io.pmstore.model.memory.ProbeException;
import io.pmstore.model.probe.NoisyMachineException;
import io.pmstore.model.profile.ProfileException;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** The command {@code ./model}. */
@Command(
    name = "model",
    description =
        "Measures a memory, counts what operations do, and predicts what a workload costs.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ProbeCommand.class,
      ShowCommand.class,
      ObserveCommand.class,
      PredictCommand.class,
      LookupsCommand.class,
      OmsCommand.class
    })
public final class Model {
  private Model() {}

  /** Runs the command line. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the command line. Returns the exit code. */
  public static int run(String... arguments) {
    return new CommandLine(new Model())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Model::explain)
        .execute(arguments);
  }

  /** What a user can mend is a message; all else has a stack trace. */
  private static int explain(Exception thrown, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (thrown instanceof ProfileException
        || thrown instanceof ProbeException
        || thrown instanceof NoisyMachineException
        || thrown instanceof PmStoreException
        || thrown instanceof IllegalArgumentException
        || thrown instanceof IOException) {
      command.getErr().println("model: " + thrown.getMessage());
      return ExitCode.SOFTWARE;
    }
    throw thrown;
  }
}
