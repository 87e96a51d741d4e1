package io.pmstore.documents;

import io.pmstore.PmStore;
import io.pmstore.StoreMetrics;

/** The example of the page about observability. */
public final class ObservabilityExample {
  private ObservabilityExample() {}

  static StoreMetrics print(PmStore store) {
    StoreMetrics metrics = store.metrics(); // from counters: some microseconds
    StoreMetrics.Transactions transactions = metrics.transactions();
    System.out.println(
        transactions.commits() + " commits, " + transactions.conflicts() + " conflicts");
    System.out.println(transactions.commitLatency().percentileNanos(99) / 1000 + " us");
    System.out.println(metrics.heap().sizeBytes() + " bytes of heap");
    metrics
        .checkpoints()
        .last()
        .ifPresent(last -> System.out.println("checkpoint: " + last.took()));
    return metrics;
  }
}
