package io.pmstore.jmh.allocation;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A store with objects that are there already. */
@State(Scope.Benchmark)
public class OldObjectsState extends GrowingStoreState {
  final Trade[] trades = new Trade[AllocationBenchmark.OBJECTS];

  /** Makes the objects; called after the store was opened. */
  @Setup(Level.Iteration)
  public void create() {
    store.transaction(
        () -> {
          for (int i = 0; i < trades.length; i++) {
            trades[i] = store.create(Trade.class);
          }
        });
  }
}
