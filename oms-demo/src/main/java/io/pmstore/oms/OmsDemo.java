package io.pmstore.oms;

import io.pmstore.oms.cli.OmsCommand;
import picocli.CommandLine;

/** The demo's main class. */
public final class OmsDemo {
  private OmsDemo() {}

  /**
   * Runs the demo; {@code --help} tells its options.
   *
   * @param args the options
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new OmsCommand()).execute(args));
  }
}
