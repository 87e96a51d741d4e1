package io.pmstore.jmh.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows which step runs, and how long the rest will take: on a terminal in one line, every second
 * anew; elsewhere in a line for each step.
 */
final class ProgressLine implements AutoCloseable {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final List<String> steps;
  private final TimeLeft left;
  private final PrintStream out;
  private final boolean terminal;
  private final LongSupplier clockNanos;
  private final long beganNanos;
  private final @Nullable Thread ticker;
  private long stepBeganNanos;
  private int finished;

  /**
   * Begins.
   *
   * @param steps the names, in order
   * @param estimates of the steps
   * @param out where to
   * @param terminal whether the line can be written anew
   * @param clockNanos tells the time
   */
  ProgressLine(
      List<String> steps,
      List<Duration> estimates,
      PrintStream out,
      boolean terminal,
      LongSupplier clockNanos) {
    this.steps = List.copyOf(steps);
    this.left = new TimeLeft(estimates);
    this.out = out;
    this.terminal = terminal;
    this.clockNanos = clockNanos;
    this.beganNanos = clockNanos.getAsLong();
    this.ticker = terminal ? Thread.ofPlatform().daemon().name("progress").start(this::tick) : null;
  }

  /** The next step begins. */
  synchronized void started() {
    stepBeganNanos = clockNanos.getAsLong();
    if (!terminal) {
      out.println(line());
    }
  }

  synchronized void ended() {
    left.finished(Duration.ofNanos(clockNanos.getAsLong() - stepBeganNanos));
    finished++;
  }

  /** Prints a message in a line of its own. */
  synchronized void say(String message) {
    out.println(terminal ? CLEAR_LINE + message : message);
  }

  private void tick() {
    try {
      while (true) {
        synchronized (this) {
          if (finished < steps.size()) {
            out.print(CLEAR_LINE + line());
            out.flush();
          }
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      out.print(CLEAR_LINE);
      out.flush();
    }
  }

  private String line() {
    long now = clockNanos.getAsLong();
    return String.format(
        Locale.ROOT,
        "[%d/%d] %s; elapsed %s, left about %s",
        finished + 1,
        steps.size(),
        steps.get(finished),
        text(Duration.ofNanos(now - beganNanos)),
        text(left.left(Duration.ofNanos(now - stepBeganNanos))));
  }

  /** Minutes and seconds, with hours if there are some. */
  static String text(Duration duration) {
    long seconds = Math.round(duration.toMillis() / 1e3);
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  @Override
  public void close() {
    if (ticker != null) {
      ticker.interrupt();
      try {
        ticker.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
