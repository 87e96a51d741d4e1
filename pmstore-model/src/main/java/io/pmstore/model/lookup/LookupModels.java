package io.pmstore.model.lookup;

import io.pmstore.model.lookup.LookupExperiment.Row;
import io.pmstore.model.probe.LeastSquares;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.math3.analysis.polynomials.PolynomialFunction;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
import org.apache.commons.math3.linear.SingularMatrixException;

/**
 * The two models of the thesis, for look-ups in a hash map of pmstore.
 *
 * <p>Both say: a look-up takes the time of the processor, and for each line that it waits for the
 * latency of the level in which the line is. They differ in how they know the misses.
 *
 * <p>The processor takes some time for a look-up, and some for each line, because a larger map has
 * longer ways. Both come from maps that fit into the caches, less their own misses; they are the
 * only measured times in either.
 *
 * <p>The levels are those of all probes, each as slow as the memory was beside the look-ups that
 * are predicted: one probe of a shared machine is some ten percent off.
 */
public final class LookupModels {
  /** The sizes of maps that fit into the caches. */
  public static final List<Long> SMALL =
      List.of(100L, 200L, 300L, 500L, 1_000L, 2_000L, 3_000L, 5_000L, 10_000L);

  private static final int DEGREE = 2;
  private static final double SINGULAR = 1e-12;
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

  /**
   * What the processor takes in ns.
   *
   * @param lookup for a look-up
   * @param line for each line that it waits for
   */
  public record Processor(double lookup, double line) {
    double nanos(double lines) {
      return lookup + line * lines;
    }
  }

  private final List<Row> small;
  private final List<Row> rows;
  private final List<List<Level>> probes;
  private final double bandwidth; // bytes per ns, which is GB/s

  /**
   * Prepares.
   *
   * @param small maps that fit into the caches, at least one
   * @param rows the sizes to predict, at least {@value #DEGREE} + 2
   */
  public LookupModels(Profile profile, List<Row> small, List<Row> rows) {
    this.small = List.copyOf(small);
    this.rows = List.copyOf(rows);
    probes =
        Stream.concat(small.stream(), rows.stream())
            .map(Row::probes)
            .flatMap(List::stream)
            .toList();
    bandwidth = profile.require(Quantity.READ_BANDWIDTH, "the model from the code");
  }

  /**
   * The time of waiting for lines.
   *
   * @param misses of all capacities
   */
  private double waiting(Row row, List<Double> misses) {
    return probes.stream()
        .mapToDouble(levels -> waiting(levels, row.memoryNanos(), misses))
        .average()
        .orElseThrow();
  }

  /**
   * The time of waiting for lines in the levels that one probe has found.
   *
   * @param memoryNanos of a read of the memory in turns with the look-ups
   */
  private static double waiting(List<Level> levels, double memoryNanos, List<Double> misses) {
    int lastCache = 0;
    for (int i = 0; i < levels.size(); i++) {
      lastCache = levels.get(i).kind() == Level.Kind.CACHE ? i : lastCache;
    }
    // How much slower the memory was in turns with the look-ups than when it was probed.
    double memory = memoryNanos / levels.getLast().nanos();
    double nanos = 0;
    for (int i = 0; i + 1 < levels.size(); i++) {
      double height = levels.get(i + 1).nanos() - levels.get(i).nanos();
      nanos += height * Capacities.misses(misses, levels.get(i)) * (i < lastCache ? 1 : memory);
    }
    return nanos;
  }

  /** The time that the lines of a look-up take on their way from the memory. */
  private double moving(Row row, List<Double> misses) {
    return probes.stream()
        .mapToDouble(
            levels ->
                levels.stream()
                    .filter(level -> level.kind() == Level.Kind.CACHE)
                    .mapToDouble(level -> Capacities.misses(misses, level))
                    .min()
                    .orElse(row.waits()))
        .map(lines -> lines * LINE / bandwidth)
        .average()
        .orElseThrow();
  }

  /** Returns the time of the processor, for the first model. */
  public Processor processor() {
    return processor(row -> waiting(row, row.simulated()));
  }

  /** What the look-ups in small maps take beyond something, by least squares. */
  private Processor processor(ToDoubleFunction<Row> beyond) {
    double[] lookups = new double[small.size()];
    Arrays.fill(lookups, 1);
    double[] lines = small.stream().mapToDouble(Row::waits).toArray();
    double[] nanos =
        small.stream().mapToDouble(row -> row.nanos() - beyond.applyAsDouble(row)).toArray();
    double[] found = LeastSquares.nonNegative(new double[][] {lookups, lines}, nanos);
    return new Processor(found[0], found[1]);
  }

  /** Predicts every size. */
  public List<Prediction> predict() {
    List<PolynomialFunction> functions = new ArrayList<>();
    for (int i = 0; i < Capacities.ALL.size(); i++) {
      functions.add(function(i));
    }
    List<Row> fitted = fitted();
    PolynomialFunction lines = polynomial(fitted, Row::waits);
    Processor ofCounters = processor();
    Processor ofCode = processor(row -> waiting(row, row.counted()) + moving(row, row.counted()));
    List<Prediction> predictions = new ArrayList<>();
    for (Row row : rows) {
      double x = Math.log((double) row.size());
      List<Double> misses = new ArrayList<>();
      for (PolynomialFunction function : functions) {
        misses.add(Math.max(0, function.value(x)));
      }
      double seconds = row.size() / NANOS_PER_SECOND;
      predictions.add(
          new Prediction(
              row.size(),
              fitted.contains(row),
              row.nanos() * seconds,
              (ofCounters.nanos(lines.value(x)) + waiting(row, misses)) * seconds,
              (ofCode.nanos(row.waits()) + waiting(row, row.counted()) + moving(row, row.counted()))
                  * seconds));
    }
    return predictions;
  }

  /**
   * Fits the misses of a step, where there are any: a map that is smaller than the step's cache has
   * none, and no polynomial stays at 0.
   */
  private PolynomialFunction function(int step) {
    List<Row> fitted = fitted();
    int first = 0;
    while (first + 1 < fitted.size() && fitted.get(first + 1).simulated().get(step) < NONE) {
      first++;
    }
    return polynomial(fitted.subList(first, fitted.size()), row -> row.simulated().get(step));
  }

  /** Fits something that rises with the size of the map, over the logarithm of the size. */
  private static PolynomialFunction polynomial(List<Row> rows, ToDoubleFunction<Row> of) {
    int degree = Math.min(DEGREE, rows.size() - 1);
    RealMatrix powers = new Array2DRowRealMatrix(rows.size(), degree + 1);
    RealVector values = new ArrayRealVector(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      for (int j = 0; j <= degree; j++) {
        powers.setEntry(i, j, Math.pow(Math.log((double) rows.get(i).size()), j));
      }
      values.setEntry(i, of.applyAsDouble(rows.get(i)));
    }
    try {
      RealVector found = new QRDecomposition(powers, SINGULAR).getSolver().solve(values);
      return new PolynomialFunction(found.toArray());
    } catch (SingularMatrixException e) {
      throw new IllegalArgumentException(
          "%d points do not determine a polynomial of degree %d".formatted(rows.size(), degree), e);
    }
  }

  /** Every second size, from the smallest on: the functions have not seen the others. */
  private List<Row> fitted() {
    List<Row> fitted = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += 2) {
      fitted.add(rows.get(i));
    }
    return fitted;
  }
}
