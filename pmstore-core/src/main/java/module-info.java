import io.pmstore.StoreProvider;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.mapped.MappedProvider;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.store.CoreStoreProvider;

/**
 * Heap, transactions, redo log, allocator, type catalogue and engines. Knows bytes and types, not
 * the classes of programs.
 *
 * <p>{@code engine} and {@code memory} are exported to all modules, so that other projects can
 * implement engines.
 */
@SuppressWarnings("module") // the modules exported to are compiled after this one
module io.pmstore.core {
  requires transitive io.pmstore.api;
  requires jdk.jfr;
  requires static org.jspecify;

  exports io.pmstore.core.catalogue to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.engine;
  exports io.pmstore.core.events to
      io.pmstore.llpl,
      io.pmstore.proxy,
      io.pmstore.tiered;
  exports io.pmstore.core.heap to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.log to
      io.pmstore.tiered;
  exports io.pmstore.core.medium to
      io.pmstore.junit,
      io.pmstore.llpl,
      io.pmstore.tiered;
  exports io.pmstore.core.memory;
  exports io.pmstore.core.tx to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.space to
      io.pmstore.gc,
      io.pmstore.proxy;

  uses EngineProvider;
  uses Collector.Provider;
  uses ObjectLayer.Provider;

  provides EngineProvider with
      MappedProvider;
  provides StoreProvider with
      CoreStoreProvider;
}
