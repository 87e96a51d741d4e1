package io.pmstore.jmh.access;

import io.pmstore.Storage;
import io.pmstore.core.heap.Heap;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Objects of a store. */
@State(Scope.Benchmark)
public class StoreState {
  /** How many objects are accessed in turn; a power of two. */
  @Param({Access.ONE, Access.MANY})
  public int objects;

  @Param("PERSISTENT_MEMORY")
  public Storage storage;

  StoredQuotes stored;
  Heap heap;
  Quote[] quotes;
  long[] addresses;
  int offset;
  int mask;

  @Setup
  public void open() throws IOException {
    stored = StoredQuotes.create(storage, objects);
    heap = stored.heap();
    quotes = stored.quotes();
    addresses = stored.addresses();
    offset = stored.offset("bid");
    mask = objects - 1;
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    stored.close();
  }
}
