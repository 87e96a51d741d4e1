import io.pmstore.core.heap.Collector;
import io.pmstore.gc.HeapCollector;

/** Reachability: garbage collection, statistics, and verification. */
module io.pmstore.gc {
  requires io.pmstore.core;
  requires jdk.jfr;
  requires static org.jspecify;

  provides Collector.Provider with
      HeapCollector.Provider;
}
