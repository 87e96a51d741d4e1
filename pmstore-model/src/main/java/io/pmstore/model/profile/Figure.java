package io.pmstore.model.profile;

import org.jspecify.annotations.Nullable;

/**
 * A figure with its interval.
 *
 * @param value the best estimate
 * @param low the lower end of its interval of 95 %; the value itself where none is known
 * @param high the upper end
 * @param note where the figure comes from, if that is not where all of the profile does
 */
public record Figure(double value, double low, double high, String unit, @Nullable String note) {

  /** A figure as a file has it, in which an absent interval is none. */
  record Json(
      double value,
      @Nullable Double low,
      @Nullable Double high,
      @Nullable String unit,
      @Nullable String note) {
    Figure figure(String key) {
      if (unit == null) {
        throw new ProfileException(key + " has no unit");
      }
      return new Figure(value, low == null ? value : low, high == null ? value : high, unit, note);
    }

    static Json of(Figure figure) {
      boolean exact = figure.low == figure.value && figure.high == figure.value;
      return new Json(
          figure.value,
          exact ? null : figure.low,
          exact ? null : figure.high,
          figure.unit,
          figure.note);
    }
  }
}
