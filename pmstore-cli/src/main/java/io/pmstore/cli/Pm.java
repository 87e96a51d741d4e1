package io.pmstore.cli;

import io.pmstore.cli.command.PmCommand;
import io.pmstore.cli.text.Screen;
import java.util.Locale;

/** The program {@code pm}. */
public final class Pm {
  private Pm() {}

  /** Runs a command, and ends the process with its exit code. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // scripts read the numbers, and so does the tool itself
    System.exit(PmCommand.run(Screen.ofProcess(), args));
  }
}
