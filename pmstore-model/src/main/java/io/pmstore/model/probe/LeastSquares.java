package io.pmstore.model.probe;

import java.util.Arrays;

/** Linear least squares. */
public final class LeastSquares {
  private static final int ROUNDS_MAX = 2_000;
  private static final double PRECISION = 1e-9;

  private LeastSquares() {}

  /**
   * Returns the coefficients, none below 0, with which columns add up to a target best: coordinate
   * descent on the normal equations.
   *
   * @param columns of the length of the target
   */
  public static double[] nonNegative(double[][] columns, double[] target) {
    int k = columns.length;
    double[][] products = new double[k][k];
    double[] right = new double[k];
    for (int i = 0; i < k; i++) {
      right[i] = dot(columns[i], target);
      for (int j = 0; j <= i; j++) {
        products[i][j] = dot(columns[i], columns[j]);
        products[j][i] = products[i][j];
      }
    }
    double[] found = new double[k];
    for (int round = 0; round < ROUNDS_MAX; round++) {
      double moved = 0;
      for (int i = 0; i < k; i++) {
        if (products[i][i] <= 0) {
          continue;
        }
        double next = Math.max(0, found[i] + (right[i] - dot(products[i], found)) / products[i][i]);
        moved = Math.max(moved, Math.abs(next - found[i]));
        found[i] = next;
      }
      if (moved < PRECISION * (1 + Arrays.stream(found).max().orElse(0))) {
        break;
      }
    }
    return found;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
