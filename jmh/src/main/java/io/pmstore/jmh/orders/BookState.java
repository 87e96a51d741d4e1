package io.pmstore.jmh.orders;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.spi.PersistentObject;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** A store with what a benchmark needs: orders, numbers, or a linked list. */
@State(Scope.Benchmark)
public class BookState {
  private static final int BATCH = 1000;

  /** How many orders, numbers or elements there are. */
  @Param("1000000")
  public int bookSize;

  /** The storage of the store. */
  @Param("PERSISTENT_MEMORY")
  public Storage storage;

  private TemporaryDirectory directory;
  PmStore store;
  Heap heap;
  Book book;

  /** Fills a store and opens it again, so that nothing of the filling is left in memory. */
  @Setup
  public void open(BenchmarkParams benchmark) throws IOException {
    directory = TemporaryDirectory.create(storage);
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage).llplPoolSize(1L << 30);
    try (PmStore filled = PmStore.open(directory.path().resolve("store"), options)) {
      Book empty = filled.root(Book.class);
      String what = benchmark.getBenchmark();
      for (int from = 0; from < bookSize; from += BATCH) {
        int first = from;
        int end = Math.min(bookSize, from + BATCH);
        filled.transaction(
            () -> {
              for (int i = first; i < end; i++) {
                fill(filled, empty, what, i);
              }
            });
      }
    }
    store = PmStore.open(directory.path().resolve("store"), options);
    book = store.root(Book.class);
    heap = ((HeapObject) ((PersistentObject) book).pmstoreHandle()).heap();
  }

  private static void fill(PmStore store, Book book, String benchmark, long i) {
    if (benchmark.contains("OrderRead")) {
      book.getOrders().put(i, new StockOrder(i));
    } else if (benchmark.contains("MapPut")) {
      book.getNumbers().put(i, i);
    } else {
      Node node = store.create(Node.class);
      node.setValue(i);
      node.setNext(book.getFirst());
      book.setFirst(node);
    }
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    store.close();
    directory.close();
  }
}
