import io.pmstore.core.heap.Collector;
import io.pmstore.gc.HeapCollector;

/** Reachability: the walk over all that can be reached, and verification by it. */
module io.pmstore.gc {
  requires io.pmstore.core;
  requires static org.jspecify;

  provides Collector.Provider with
      HeapCollector.Provider;
}
