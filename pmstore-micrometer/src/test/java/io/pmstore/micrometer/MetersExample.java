package io.pmstore.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.pmstore.PmStore;

/** The example of docs/observability.md. */
final class MetersExample {
  private MetersExample() {}

  static PmStoreMetrics bind(PmStore store, MeterRegistry registry) {
    PmStoreMetrics metrics = new PmStoreMetrics(store, "orders"); // the tag store=orders
    metrics.bindTo(registry); // of any monitoring system that Micrometer knows
    return metrics;
  }
}
