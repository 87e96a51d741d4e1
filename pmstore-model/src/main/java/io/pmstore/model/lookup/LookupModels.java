package io.pmstore.model.lookup;

import io.pmstore.model.lookup.LookupExperiment.Row;
import io.pmstore.model.probe.LeastSquares;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * The two models of the thesis, for look-ups in a hash map of pmstore.
 *
 * <p>Both say: a look-up takes the time of the processor, and for each line that it waits for the
 * latency of the level in which the line is. They differ in how they know the misses. The time of
 * the processor is what a look-up takes in a map that fits into the caches, less its own misses;
 * that is the only measured time in either.
 */
public final class LookupModels {
  private static final int DEGREE = 2;
  private static final double NONE = 0.01; // misses of a look-up
  private static final double LINE = 64;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What the models say about one size.
   *
   * @param size of the map, and the number of look-ups
   * @param fitted whether the first model's functions were fitted with this size
   * @param measured in s, of all look-ups
   * @param fromCounters in s, by the first model
   * @param fromCode in s, by the second model
   */
  public record Prediction(
      long size, boolean fitted, double measured, double fromCounters, double fromCode) {
    /** The error of the first model, as a part of what was measured. */
    public double counterError() {
      return Math.abs(fromCounters / measured - 1);
    }

    /** The error of the second model, as a part of what was measured. */
    public double codeError() {
      return Math.abs(fromCode / measured - 1);
    }
  }

  private final List<Row> rows;
  private final Row small;
  private final double bandwidth; // bytes per ns, which is GB/s

  /**
   * Prepares.
   *
   * @param small a map that fits into the caches
   * @param rows the sizes to predict, at least {@value #DEGREE} + 2
   */
  public LookupModels(Profile profile, Row small, List<Row> rows) {
    this.small = small;
    this.rows = List.copyOf(rows);
    bandwidth = profile.require(Quantity.READ_BANDWIDTH, "the model from the code");
  }

  /**
   * The time of waiting for lines, in the levels as they were beside the measurement.
   *
   * @param misses of all capacities
   */
  private static double waiting(Row row, List<Double> misses) {
    List<Level> levels = row.levels();
    int lastCache = 0;
    for (int i = 0; i < levels.size(); i++) {
      lastCache = levels.get(i).kind() == Level.Kind.CACHE ? i : lastCache;
    }
    // How much slower the memory was in turns with the look-ups than just after them.
    double memory = row.memoryNanos() / levels.getLast().nanos();
    double nanos = 0;
    for (int i = 0; i + 1 < levels.size(); i++) {
      double height = levels.get(i + 1).nanos() - levels.get(i).nanos();
      nanos += height * Capacities.misses(misses, levels.get(i)) * (i < lastCache ? 1 : memory);
    }
    return nanos;
  }

  /** The time that the lines of a look-up take on their way from the memory. */
  private double moving(Row row, List<Double> misses) {
    double least =
        row.levels().stream()
            .filter(level -> level.kind() == Level.Kind.CACHE)
            .mapToDouble(level -> Capacities.misses(misses, level))
            .min()
            .orElse(row.waits());
    return least * LINE / bandwidth;
  }

  /** Returns the time of the processor in ns, for the first model. */
  public double processorNanos() {
    return small.nanos() - waiting(small, small.simulated());
  }

  /** Predicts every size. */
  public List<Prediction> predict() {
    List<double[]> functions = new ArrayList<>();
    for (int i = 0; i < Capacities.ALL.size(); i++) {
      functions.add(function(i));
    }
    double ofCode =
        small.nanos() - waiting(small, small.counted()) - moving(small, small.counted());
    List<Prediction> predictions = new ArrayList<>();
    for (Row row : rows) {
      List<Double> misses = new ArrayList<>();
      for (double[] function : functions) {
        misses.add(Math.max(0, value(function, Math.log((double) row.size()))));
      }
      double seconds = row.size() / NANOS_PER_SECOND;
      predictions.add(
          new Prediction(
              row.size(),
              fitted().contains(row),
              row.nanos() * seconds,
              (processorNanos() + waiting(row, misses)) * seconds,
              (ofCode + waiting(row, row.counted()) + moving(row, row.counted())) * seconds));
    }
    return predictions;
  }

  /**
   * Fits the misses of a step, where there are any: a map that is smaller than the step's cache has
   * none, and no polynomial stays at 0.
   */
  private double[] function(int step) {
    List<Row> fitted = fitted();
    int first = 0;
    while (first + 1 < fitted.size() && fitted.get(first + 1).simulated().get(step) < NONE) {
      first++;
    }
    List<Row> rising = fitted.subList(first, fitted.size());
    double[] x = rising.stream().mapToDouble(row -> Math.log((double) row.size())).toArray();
    double[] y = rising.stream().mapToDouble(row -> row.simulated().get(step)).toArray();
    return LeastSquares.polynomial(x, y, Math.min(DEGREE, rising.size() - 1));
  }

  /** Every second size, from the smallest on: the functions have not seen the others. */
  private List<Row> fitted() {
    List<Row> fitted = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += 2) {
      fitted.add(rows.get(i));
    }
    return fitted;
  }

  private static double value(double[] polynomial, double x) {
    double value = 0;
    for (int i = polynomial.length - 1; i >= 0; i--) {
      value = value * x + polynomial[i];
    }
    return value;
  }
}
