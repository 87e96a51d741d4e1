package io.pmstore.jmh.report;

import io.pmstore.jmh.results.ConfidenceInterval;
import io.pmstore.jmh.results.Measurement;
import java.util.Locale;
import java.util.Optional;

/** How figures are written. */
public final class Numbers {
  private Numbers() {}

  /** Three digits at least, thousands separated. */
  public static String of(double value) {
    double size = Math.abs(value);
    String format =
        size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3g";
    return String.format(Locale.ROOT, format, value);
  }

  /** A count, thousands separated. */
  public static String of(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A mean, with its interval if there is one. */
  static String of(Measurement measurement) {
    return of(measurement.mean(), ConfidenceInterval.ofMean(measurement.samples()));
  }

  /** A value, with its interval if there is one. */
  static String of(double value, Optional<ConfidenceInterval> interval) {
    return of(value) + interval.map(i -> " [" + of(i.low()) + "; " + of(i.high()) + "]").orElse("");
  }

  /** How many times as much, in two digits at least. */
  static String ratio(double value) {
    return String.format(
        Locale.ROOT, value >= 10 ? "%,.0f" : value >= 0.95 ? "%.1f" : "%.2f", value);
  }

  /** How many times as much a figure is as another, with the interval if there is one. */
  static String quotient(Measurement dividend, Measurement divisor) {
    return of(
        dividend.mean() / divisor.mean(),
        ConfidenceInterval.ofRatio(dividend.samples(), divisor.samples()));
  }

  /** A count of threads. */
  static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  /** All digits, as somebody wrote them. */
  static String exact(double value) {
    return value % 1 == 0 ? of((long) value) : Double.toString(value);
  }

  /** For an axis: 1, 20, 1 k, 2.5 M. */
  public static String onAxis(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return plain(value / 1e6) + " M";
    }
    return size >= 1e3 ? plain(value / 1e3) + " k" : plain(value);
  }

  private static String plain(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
