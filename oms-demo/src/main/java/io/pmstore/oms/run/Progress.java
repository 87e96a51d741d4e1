package io.pmstore.oms.run;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Shows progress: every second on a terminal, in one line; every ten seconds elsewhere, in lines of
 * their own.
 */
public final class Progress implements AutoCloseable {
  private static final long TERMINAL_PERIOD_MILLIS = 1_000;
  private static final long FILE_PERIOD_MILLIS = 10_000;

  private final String label;
  private final long total;
  private final LongAdder done = new LongAdder();
  private final PrintStream out;
  private final boolean terminal;
  private final Thread printer;

  /**
   * Starts saying.
   *
   * @param label what is under way
   * @param total how many reports it will be; 0 if unknown
   * @param out where to
   */
  public Progress(String label, long total, PrintStream out) {
    this.label = label;
    this.total = total;
    this.out = out;
    this.terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    this.printer = Thread.ofPlatform().daemon().name("progress").start(this::print);
  }

  /** The counter of what is done. */
  public LongAdder done() {
    return done;
  }

  private void print() {
    long period = terminal ? TERMINAL_PERIOD_MILLIS : FILE_PERIOD_MILLIS;
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(period);
        out.print(line() + (terminal ? "\r" : "\n"));
        out.flush();
      }
    } catch (InterruptedException e) {
      if (terminal) {
        out.print(" ".repeat(line().length()) + "\r");
        out.flush();
      }
    }
  }

  private String line() {
    long now = done.sum();
    return total == 0
        ? String.format(Locale.ROOT, "%s: %,d reports", label, now)
        : String.format(
            Locale.ROOT, "%s: %,d of %,d reports (%d %%)", label, now, total, 100 * now / total);
  }

  @Override
  public void close() {
    printer.interrupt();
    try {
      printer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
