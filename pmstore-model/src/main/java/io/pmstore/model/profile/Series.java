package io.pmstore.model.profile;

import java.util.List;

/**
 * A measured curve.
 *
 * @param name what was measured
 * @param xUnit the unit of what was varied
 * @param unit the unit of what was measured
 */
public record Series(String name, String xUnit, String unit, List<Point> points) {
  /** The latency of dependent reads over the size of the region, in blocks of a cache line. */
  public static final String READ = "read latency, a line in each block of 64 bytes";

  /** The latency of dependent reads over the size of the region, one line in each page. */
  public static final String READ_PAGES = "read latency, a line in each page of 4 KiB";

  /** The latency of durable writes over the size of the region. */
  public static final String WRITE = "latency of a write of 64 bytes, made durable";

  /** The time of a read over the number of independent chains of one thread. */
  public static final String CHAINS = "time of a read, over independent chains of one thread";

  /** The time of a commit over the number of threads that share a barrier. */
  public static final String SHARED_BARRIER = "time of a durable record, over threads";

  /** Bandwidths begin with this. */
  public static final String BANDWIDTH = "bandwidth: ";

  /**
   * A point of a curve.
   *
   * @param value the best estimate
   * @param low the lower end of its interval of 95 %
   * @param high the upper end
   */
  public record Point(double x, double value, double low, double high) {
    /** The point as a figure. */
    public Figure figure(String unit) {
      return new Figure(value, low, high, unit, null);
    }
  }

  /** Copies the points. */
  public Series {
    points = List.copyOf(points);
  }
}
