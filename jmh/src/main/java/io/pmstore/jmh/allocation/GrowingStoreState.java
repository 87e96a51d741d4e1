package io.pmstore.jmh.allocation;

import io.pmstore.PmStore;
import io.pmstore.Storage;
import io.pmstore.core.heap.Heap;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store that lasts for one iteration, because it grows with each transaction. */
@State(Scope.Benchmark)
public class GrowingStoreState {
  @Param("PERSISTENT_MEMORY")
  public Storage storage;

  private StoredQuotes stored;
  PmStore store;
  Heap heap;
  Quote quote;
  long count;

  @Setup(Level.Iteration)
  public void open() throws IOException {
    stored = StoredQuotes.create(storage, 1);
    store = stored.store();
    heap = stored.heap();
    quote = stored.quotes()[0];
  }

  /** Closes and deletes it. */
  @TearDown(Level.Iteration)
  public void close() {
    stored.close();
  }
}
