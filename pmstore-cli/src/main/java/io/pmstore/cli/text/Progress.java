package io.pmstore.cli.text;

import java.time.Duration;
import java.util.function.LongFunction;

/** A line on a terminal that says how far a long command is. Writes nothing elsewhere. */
public final class Progress implements AutoCloseable {
  private static final long STEP_NANOS = 200_000_000;
  private static final long FIRST_NANOS = 700_000_000;
  private static final int LOOK = 1 << 10;

  private final Screen screen;
  private final String what;
  private final long total;
  private final LongFunction<String> amount;
  private final long start = System.nanoTime();
  private long next = start + FIRST_NANOS;
  private int calls;
  private int shown;

  /**
   * Begins.
   *
   * @param what is being done
   * @param total the amount that will have been done at the end; 0 if nobody knows
   * @param amount shows an amount
   */
  public Progress(Screen screen, String what, long total, LongFunction<String> amount) {
    this.screen = screen;
    this.what = what;
    this.total = total;
    this.amount = amount;
  }

  /** Sets how much has been done. A caller may call it for each object. */
  public void at(long done) {
    if (screen.isTerminal() && (++calls & (LOOK - 1)) == 0) {
      show(what, done, total);
    }
  }

  /** Does as {@link #at}, for steps that take long. */
  public void step(long done) {
    if (screen.isTerminal()) {
      show(what, done, total);
    }
  }

  /**
   * Does as {@link #step(long)}, where it turns out meanwhile how much will have been done.
   *
   * @param more is shown after what is being done
   */
  public void step(String more, long done, long total) {
    if (screen.isTerminal()) {
      show(what + "  " + more, done, total);
    }
  }

  private void show(String begin, long done, long total) {
    long now = System.nanoTime();
    if (now < next) {
      return;
    }
    next = now + STEP_NANOS;
    StringBuilder line = new StringBuilder(begin).append("  ").append(amount.apply(done));
    if (total > 0) {
      double fraction = Math.min(1, (double) done / total);
      line.append(" of ").append(amount.apply(total)).append("  ");
      line.append(Math.round(100 * fraction)).append(" %");
      if (fraction > 0.02) {
        long left = (long) ((now - start) * (1 - fraction) / fraction);
        line.append("  ").append(seconds(left)).append(" left");
      }
    }
    print(line.toString());
  }

  private static String seconds(long nanos) {
    Duration left = Duration.ofNanos(nanos);
    return left.toMinutes() > 0
        ? left.toMinutes() + " min " + left.toSecondsPart() + " s"
        : left.toSeconds() + " s";
  }

  private void print(String line) {
    String cut = line.substring(0, Math.min(line.length(), screen.width() - 1));
    screen.err().print("\r" + cut + " ".repeat(Math.max(0, shown - cut.length())));
    screen.err().flush();
    shown = cut.length();
  }

  /** Clears the line. */
  @Override
  public void close() {
    if (shown > 0) {
      screen.err().print("\r" + " ".repeat(shown) + "\r");
      screen.err().flush();
      shown = 0;
    }
  }
}
