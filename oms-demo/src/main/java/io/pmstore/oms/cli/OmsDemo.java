package io.pmstore.oms.cli;

/** The demo's main class. */
public final class OmsDemo {
  private OmsDemo() {}

  /** Runs the demo; {@code --help} tells its options. */
  public static void main(String[] args) {
    System.exit(OmsCommand.commandLine().execute(args));
  }
}
