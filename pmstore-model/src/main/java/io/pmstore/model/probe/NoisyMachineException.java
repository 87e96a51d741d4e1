package io.pmstore.model.probe;

import io.pmstore.model.profile.Series;

/** Other programs disturbed a measurement so much that its interval is wider than wanted. */
public final class NoisyMachineException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoisyMachineException(String what, Series.Point point, int samples, double interval) {
    super(
        "the machine is too noisy: %s is between %.4g and %.4g after %d samples, and %.0f %% around %.4g were wanted. Stop other programs, or accept a wider interval with --interval"
            .formatted(what, point.low(), point.high(), samples, 100 * interval, point.value()));
  }
}
