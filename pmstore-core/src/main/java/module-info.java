/**
 * Heap, transactions, redo log, allocator, type catalogue and engines. Knows bytes and types, not
 * user classes.
 */
@SuppressWarnings({
  "requires-automatic", // LLPL is published without a module name
  "module" // the modules exported to are built after this one
})
module io.pmstore.core {
  requires io.pmstore.api;
  requires llpl;
  requires org.slf4j;
  requires static org.jspecify;

  exports io.pmstore.core.engine to
      io.pmstore.gc,
      io.pmstore.proxy;
  exports io.pmstore.core.memory to
      io.pmstore.gc,
      io.pmstore.proxy;
}
