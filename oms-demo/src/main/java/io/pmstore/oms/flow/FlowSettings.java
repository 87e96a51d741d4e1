package io.pmstore.oms.flow;

/**
 * The settings of a generated flow. The same settings always give the same flow.
 *
 * @param orders how many orders, at least 1
 * @param ratio how often each order is updated, at least 0
 * @param seed where the randomness begins
 */
public record FlowSettings(int orders, int ratio, long seed) {
  /** Checks the ranges. */
  public FlowSettings {
    if (orders < 1) {
      throw new IllegalArgumentException("orders must be at least 1, not " + orders);
    }
    if (ratio < 0) {
      throw new IllegalArgumentException("ratio must be at least 0, not " + ratio);
    }
    if ((long) orders * (ratio + 1L) > Integer.MAX_VALUE - 16) {
      throw new IllegalArgumentException(
          "orders x (ratio + 1) must be below 2^31 execution reports, not "
              + (long) orders * (ratio + 1L));
    }
  }

  /** How many execution reports these settings give: orders x (ratio + 1). */
  public int reports() {
    return orders * (ratio + 1);
  }
}
