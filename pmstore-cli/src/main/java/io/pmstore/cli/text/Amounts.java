package io.pmstore.cli.text;

import java.util.Locale;

/** Numbers for people. */
public final class Amounts {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

  private Amounts() {}

  /** Returns a number with its digits in groups. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Returns a number of bytes in the unit that suits it. */
  public static String bytes(long bytes) {
    int unit = 0;
    double amount = bytes;
    while (Math.abs(amount) >= 1024 && unit < UNITS.length - 1) {
      amount /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, amount < 10 ? "%.2f %s" : "%.1f %s", amount, UNITS[unit]);
  }

  /** Returns "1 class", "2 classes". */
  public static String of(long number, String one, String many) {
    return count(number) + " " + (number == 1 ? one : many);
  }

  /** Returns "1 object", "2 objects". */
  public static String objects(long number) {
    return of(number, "object", "objects");
  }

  /** Returns a bar. {@code width} characters stand for a fraction of 1. */
  public static String bar(double fraction, int width) {
    int eighths = (int) Math.round(Math.clamp(fraction, 0, 1) * width * 8);
    if (eighths == 0 && fraction > 0) {
      eighths = 1;
    }
    String full = "█".repeat(eighths / 8);
    return eighths % 8 == 0 ? full : full + EIGHTHS.charAt(eighths % 8);
  }

  /** Returns a percentage. */
  public static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
  }
}
