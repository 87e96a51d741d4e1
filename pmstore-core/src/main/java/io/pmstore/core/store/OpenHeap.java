package io.pmstore.core.store;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.HeapCopy;
import io.pmstore.core.heap.Collector;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.heap.SingleWrites;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An open heap with its collector, which runs while the heap may be changed. */
final class OpenHeap {
  /** What a store opens its heap with, again if another heap replaces it. */
  record Parts(
      ObjectLayer.Provider layer,
      Collector.@Nullable Provider collector,
      PmStoreOptions options,
      Path directory) {}

  private final Parts parts;
  private final Engine engine;
  private final Heap heap;
  private @Nullable Collector collector; // guarded by this
  private boolean runs; // guarded by this

  /** Opens the heap on an engine, which {@link #close} closes. */
  OpenHeap(Parts parts, Engine engine) {
    this.parts = parts;
    this.engine = engine;
    this.heap =
        new Heap(
            engine,
            parts.options().durability(),
            new SingleWrites(parts.options().writesOutsideTransactions()),
            h -> openLayer(h, parts, engine));
    heap.recordAs(parts.directory().toString());
    this.collector = parts.collector() == null ? null : parts.collector().open(heap);
  }

  private static ObjectLayer openLayer(Heap heap, Parts parts, Engine engine) {
    if (engine.leadership() == 0) {
      heap.replica().follow(); // the layer may not write
    }
    return parts.layer().open(heap, parts.options());
  }

  Heap heap() {
    return heap;
  }

  Engine engine() {
    return engine;
  }

  /** Returns the collector, or null if there is none beside core. */
  synchronized @Nullable Collector collector() {
    return collector;
  }

  /** Lets transactions change the heap, and starts the collector. */
  void lead(Runnable writable) {
    if (heap.replica().isFollowing()) {
      follow(); // records may have come without it, of which a running collector knows nothing
    }
    heap.replica().end();
    writable.run();
    Collector starting;
    synchronized (this) {
      if (collector == null || runs) {
        return;
      }
      runs = true;
      starting = collector;
    }
    try {
      starting.start(parts.options(), parts.directory()); // may wait for a whole collection
    } catch (PmStoreException e) {
      if (engine.leadership() != 0) {
        throw e;
      } // otherwise what ended it is that another store leads by now
    }
  }

  /** Makes the heap a replica, and stops the collector. */
  void follow() {
    heap.replica().follow();
    Collector stopping;
    synchronized (this) {
      if (!runs || collector == null || parts.collector() == null) {
        return;
      }
      stopping = collector;
      collector = parts.collector().open(heap);
      runs = false;
    }
    stopping.close(); // waits for its thread
  }

  /** Opens the present state for a copy. */
  HeapCopy copy() {
    return heap.openSnapshot();
  }

  /** Stops the collector, and closes the heap with its engine. */
  void close() {
    if (!heap.inTransaction()) { // there the heap refuses, and goes on
      engine.closing(); // first: the collector waits for transactions, too
      Collector stopping = collector();
      if (stopping != null) {
        stopping.close();
      }
    }
    heap.close();
  }
}
