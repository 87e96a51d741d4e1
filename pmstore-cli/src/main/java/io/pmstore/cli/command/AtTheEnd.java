package io.pmstore.cli.command;

import java.util.concurrent.atomic.AtomicBoolean;

/** Deletes what is not finished if a signal ends the process. Thread-safe. */
final class AtTheEnd implements AutoCloseable {
  private static final AtomicBoolean BEGUN = new AtomicBoolean();

  private final Thread hook;

  /**
   * Registers the clean-up.
   *
   * @param cleanUp runs beside the threads of the process, which do not end before it
   */
  AtTheEnd(Runnable cleanUp) {
    hook =
        new Thread(
            () -> {
              BEGUN.set(true);
              cleanUp.run();
            },
            "pm clean-up");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Returns true if a clean-up takes away the files that other threads of the process still use.
   */
  static boolean hasBegun() {
    return BEGUN.get();
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
