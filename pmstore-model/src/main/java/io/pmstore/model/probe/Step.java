package io.pmstore.model.probe;

import io.pmstore.model.profile.Level;

/**
 * A rise of the latency where a region outgrows a cache or the reach of a TLB.
 *
 * @param kind a cache counts lines, a TLB pages
 * @param bytes the capacity; of a TLB, what its pages cover
 * @param sharpness of the rise: 1 for a cache that evicts at random, more for one that evicts what
 *     was not used longest
 * @param nanos the height
 */
record Step(Level.Kind kind, double bytes, double sharpness, double nanos) {
  private static final double LINE = 64;
  private static final double PAGE = 4096;

  /** How much of the step's height a region feels, between 0 and 1. */
  double missing(double region, double stride) {
    double units = region / stride;
    double footprint =
        kind == Level.Kind.CACHE ? units * LINE : Math.min(units, region / PAGE) * PAGE;
    return footprint <= bytes ? 0 : 1 - Math.pow(bytes / footprint, sharpness);
  }

  Step withNanos(double other) {
    return new Step(kind, bytes, sharpness, other);
  }

  /** The same capacity, to some bits: what makes two steps one. */
  boolean isNear(Step other, double factor) {
    double ratio = bytes / other.bytes;
    return kind == other.kind && ratio < factor && ratio > 1 / factor;
  }
}
