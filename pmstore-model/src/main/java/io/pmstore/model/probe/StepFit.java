package io.pmstore.model.probe;

import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the steps of a latency: the capacities and costs of caches and TLBs.
 *
 * <p>The latency of a region is a base and a sum of steps, each of which begins where the region
 * outgrows a capacity. Two curves are explained by the same steps: one reads a line in each block
 * of 64 bytes, the other one in each page. A cache counts lines, so its step is at a 64 times
 * larger region in the second curve; a TLB counts pages, so its step is at the same place in both.
 * That tells them apart.
 *
 * <p>Steps are added one by one, each time the one that explains most, and the others adjusted,
 * until another one would explain no more than noise does (Bayesian information criterion).
 */
final class StepFit {
  private static final int STEPS_MAX = 8;
  private static final int PER_OCTAVE = 8;
  private static final double[] SHARPNESS = {1, 3, 12};
  private static final double PARAMETERS = 3; // of a step
  private static final double HEIGHT_MIN = 0.1; // of the latency where the step begins
  private static final double NOISE_MIN = 0.01; // no measurement is better
  private static final double SAME = 1.5;

  private record Observed(double region, double stride, double nanos) {}

  /**
   * What was found.
   *
   * @param base the latency of the smallest regions in ns
   * @param steps the smallest first
   */
  record Result(double base, List<Step> steps) {
    double nanos(double region, double stride) {
      double nanos = base;
      for (Step step : steps) {
        nanos += step.nanos() * step.missing(region, stride);
      }
      return nanos;
    }
  }

  private final List<Observed> observed = new ArrayList<>();
  private final double largest;
  private final double smallest;

  /**
   * Prepares the fit.
   *
   * @param lines latency over the region, a line in each block of 64 bytes
   * @param pages the same with a line in each page
   */
  StepFit(List<Series.Point> lines, List<Series.Point> pages) {
    lines.forEach(p -> observed.add(new Observed(p.x(), 64, p.value())));
    pages.forEach(p -> observed.add(new Observed(p.x(), 4096, p.value())));
    smallest = lines.getFirst().x();
    largest = lines.getLast().x();
  }

  Result fit() {
    Result best = solve(List.of());
    double bestScore = score(best);
    while (best.steps.size() < STEPS_MAX) {
      Result next = adjusted(withBestStep(best));
      double score = score(next);
      if (score >= bestScore || !isPlausible(next)) {
        break;
      }
      best = next;
      bestScore = score;
    }
    return best;
  }

  /** Every step is as high as it must be, and no two are the same. */
  private static boolean isPlausible(Result result) {
    double nanos = result.base;
    Step before = null;
    for (Step step : result.steps) {
      if (step.nanos() < HEIGHT_MIN * nanos || (before != null && step.isNear(before, SAME))) {
        return false;
      }
      nanos += step.nanos();
      before = step;
    }
    return true;
  }

  private Result withBestStep(Result start) {
    Result best = start;
    double least = Double.MAX_VALUE;
    for (Level.Kind kind : List.of(Level.Kind.CACHE, Level.Kind.TLB)) {
      for (double bytes = smallest; bytes < largest / 2; bytes *= Math.pow(2, 1.0 / PER_OCTAVE)) {
        for (double sharpness : SHARPNESS) {
          List<Step> steps = new ArrayList<>(start.steps);
          steps.add(new Step(kind, bytes, sharpness, 0));
          Result next = solve(steps);
          double error = error(next);
          if (error < least) {
            least = error;
            best = next;
          }
        }
      }
    }
    return best;
  }

  /** Moves each step a little, until nothing gets better. */
  private Result adjusted(Result start) {
    Result best = start;
    double least = error(start);
    boolean improved = true;
    for (int round = 0; improved && round < STEPS_MAX; round++) {
      improved = false;
      for (int i = 0; i < best.steps.size(); i++) {
        Step step = best.steps.get(i);
        for (int shift = -PER_OCTAVE; shift <= PER_OCTAVE; shift++) {
          for (double sharpness : SHARPNESS) {
            List<Step> steps = new ArrayList<>(best.steps);
            double bytes = step.bytes() * Math.pow(2, shift / (2.0 * PER_OCTAVE));
            if (i >= steps.size() || bytes < smallest || bytes > largest / 2) {
              continue;
            }
            steps.set(i, new Step(step.kind(), bytes, sharpness, 0));
            Result next = solve(steps);
            double error = error(next);
            if (next.steps.size() == best.steps.size() && error < least * 0.999) {
              least = error;
              best = next;
              improved = true;
            }
          }
        }
      }
    }
    return best;
  }

  /** Finds the base and the heights, none negative, of given steps: least relative squares. */
  private Result solve(List<Step> steps) {
    int n = observed.size();
    int k = steps.size() + 1;
    double[][] share = new double[k][n];
    for (int i = 0; i < n; i++) {
      Observed one = observed.get(i);
      share[0][i] = 1 / one.nanos;
      for (int j = 1; j < k; j++) {
        share[j][i] = steps.get(j - 1).missing(one.region, one.stride) / one.nanos;
      }
    }
    double[] ones = new double[n];
    java.util.Arrays.fill(ones, 1);
    double[] heights = LeastSquares.nonNegative(share, ones);
    List<Step> solved = new ArrayList<>();
    for (int j = 1; j < k; j++) {
      if (heights[j] > 0) {
        solved.add(steps.get(j - 1).withNanos(heights[j]));
      }
    }
    solved.sort(Comparator.comparingDouble(Step::bytes));
    return new Result(heights[0], solved);
  }

  private double error(Result result) {
    double sum = 0;
    for (Observed one : observed) {
      double off = result.nanos(one.region, one.stride) / one.nanos - 1;
      sum += off * off;
    }
    return sum / observed.size();
  }

  private double score(Result result) {
    int n = observed.size();
    return n * Math.log(error(result) + NOISE_MIN * NOISE_MIN)
        + PARAMETERS * result.steps.size() * Math.log(n);
  }
}
