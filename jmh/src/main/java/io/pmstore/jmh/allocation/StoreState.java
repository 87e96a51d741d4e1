package io.pmstore.jmh.allocation;

import io.pmstore.PmStore;
import io.pmstore.Storage;
import io.pmstore.core.heap.Heap;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store. */
@State(Scope.Benchmark)
public class StoreState {
  @Param("PERSISTENT_MEMORY")
  public Storage storage;

  private StoredQuotes stored;
  PmStore store;
  Heap heap;

  @Setup
  public void open() throws IOException {
    stored = StoredQuotes.create(storage, 1);
    store = stored.store();
    heap = stored.heap();
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    stored.close();
  }
}
