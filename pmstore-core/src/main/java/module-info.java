import io.pmstore.StoreProvider;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.store.CoreStoreProvider;

/**
 * Heap, transactions, redo log, allocator, type catalogue and engines. Knows bytes and types, not
 * user classes.
 */
@SuppressWarnings({
  "module", // the modules exported to are compiled after this one
  "requires-automatic" // LLPL is published without a module name
})
module io.pmstore.core {
  requires transitive io.pmstore.api;
  requires jdk.jfr;
  requires llpl;
  requires org.slf4j;
  requires static org.jspecify;

  exports io.pmstore.core.catalogue to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.engine to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.heap to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.memory to
      io.pmstore.gc;
  exports io.pmstore.core.tx to
      io.pmstore.gc;
  exports io.pmstore.core.space to
      io.pmstore.gc,
      io.pmstore.proxy;

  uses Collector.Provider;
  uses ObjectLayer.Provider;

  provides StoreProvider with
      CoreStoreProvider;
}
