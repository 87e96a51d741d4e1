package io.pmstore.oms.run;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows progress: on a terminal in one line, several times a second; elsewhere in lines of their
 * own every ten seconds, or not at all.
 */
public final class Progress implements AutoCloseable {
  private static final long TERMINAL_PERIOD_MILLIS = 250;
  private static final long FILE_PERIOD_MILLIS = 10_000;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final LongAdder done = new LongAdder();
  private final Supplier<String> line;
  private final PrintStream out;
  private final boolean terminal;
  private final @Nullable Thread printer;

  /**
   * Starts to show how many reports are done.
   *
   * @param label what is under way
   * @param total how many reports it will be; 0 if unknown
   * @param out where to
   */
  public Progress(String label, long total, PrintStream out) {
    this.line = () -> line(label, total);
    this.out = out;
    this.terminal = hasTerminal();
    this.printer = start();
  }

  private Progress(Supplier<String> line, PrintStream out) {
    this.line = line;
    this.out = out;
    this.terminal = hasTerminal();
    this.printer = terminal ? start() : null;
  }

  /**
   * Starts to show a line on a terminal; shows nothing elsewhere.
   *
   * @param line makes the line, at any time and on another thread
   * @param out where to
   */
  public static Progress onTerminal(Supplier<String> line, PrintStream out) {
    return new Progress(line, out);
  }

  private static boolean hasTerminal() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }

  private Thread start() {
    return Thread.ofPlatform().daemon().name("progress").start(this::print);
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
        out.print(terminal ? CLEAR_LINE + line.get() : line.get() + "\n");
        out.flush();
      }
    } catch (InterruptedException e) {
      clear();
    }
  }

  /** Clears the line on the terminal, so that something else can be printed in its place. */
  public void clear() {
    if (terminal) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }

  private String line(String label, long total) {
    long now = done.sum();
    return total == 0
        ? String.format(Locale.ROOT, "%s: %,d reports", label, now)
        : String.format(
            Locale.ROOT, "%s: %,d of %,d reports (%d %%)", label, now, total, 100 * now / total);
  }

  @Override
  public void close() {
    Thread started = printer;
    if (started == null) {
      return;
    }
    started.interrupt();
    try {
      started.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
