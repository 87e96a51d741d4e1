package io.pmstore.oms;

import io.pmstore.oms.cli.OmsCommand;

/** The demo's main class. */
public final class OmsDemo {
  private OmsDemo() {}

  /**
   * Runs the demo; {@code --help} tells its options.
   *
   * @param args the options
   */
  public static void main(String[] args) {
    System.exit(OmsCommand.commandLine().execute(args));
  }
}
