package io.pmstore.cli.command;

/** Deletes what is not finished if a signal ends the process. Thread-safe. */
final class AtTheEnd implements AutoCloseable {
  private final Thread hook;

  /**
   * Registers the clean-up.
   *
   * @param cleanUp runs beside the threads of the process, which do not end before it
   */
  AtTheEnd(Runnable cleanUp) {
    hook = new Thread(cleanUp, "pm clean-up");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Forgets the clean-up, because the process has done it or needs none. */
  @Override
  public void close() {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) { // the process ends already
      return;
    }
  }
}
