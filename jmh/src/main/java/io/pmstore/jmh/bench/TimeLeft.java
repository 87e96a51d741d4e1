package io.pmstore.jmh.bench;

import java.time.Duration;
import java.util.List;

/**
 * How long the rest of a run will take: what its steps estimate, scaled by how long the finished
 * ones took beside what they had estimated.
 */
final class TimeLeft {
  private final List<Duration> estimates;
  private int finished;
  private Duration estimated = Duration.ZERO;
  private Duration taken = Duration.ZERO;

  TimeLeft(List<Duration> estimates) {
    this.estimates = List.copyOf(estimates);
  }

  /** The next step has finished. */
  void finished(Duration duration) {
    estimated = estimated.plus(estimates.get(finished++));
    taken = taken.plus(duration);
  }

  /**
   * Returns the time that is left.
   *
   * @param running how long the step has been running that is next
   */
  Duration left(Duration running) {
    double scale =
        estimated.isZero() ? 1 : (double) taken.toMillis() / Math.max(1, estimated.toMillis());
    double millis = 0;
    for (int i = finished; i < estimates.size(); i++) {
      double step = estimates.get(i).toMillis() * scale;
      millis += i == finished ? Math.max(0, step - running.toMillis()) : step;
    }
    return Duration.ofMillis(Math.round(millis));
  }
}
