package io.pmstore.jmh.commit;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store that all threads commit to, each to an object of its own. */
public abstract class StoreState {
  private final PmStoreOptions options;
  private StoredQuotes stored;

  StoreState(Storage storage) {
    this(PmStoreOptions.defaults().storage(storage).llplPoolSize(128 << 20));
  }

  StoreState(PmStoreOptions options) {
    this.options = options;
  }

  @Setup
  public void open() throws IOException {
    stored = StoredQuotes.create(options, Writer.OBJECTS);
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    stored.close();
  }

  /** The transaction that is measured: three setters of one object. */
  final void transaction(Writer writer) {
    Quote quote = stored.quotes()[writer.object];
    long n = ++writer.count;
    stored
        .store()
        .transaction(
            () -> {
              quote.setBid(n);
              quote.setAsk(n + 1);
              quote.setTime(n + 2);
            });
  }

  final StoredQuotes stored() {
    return stored;
  }

  /** On ordinary files. */
  @State(Scope.Benchmark)
  public static class OnFile extends StoreState {
    /** Called by JMH. */
    public OnFile() {
      super(Storage.FILE);
    }
  }

  /** On persistent memory. */
  @State(Scope.Benchmark)
  public static class OnPmem extends StoreState {
    /** Called by JMH. */
    public OnPmem() {
      super(Storage.PERSISTENT_MEMORY);
    }
  }

  /**
   * On persistent memory, with so large a log that the checkpoint is idle: one in two million
   * commits, which has but the lines of {@value Writer#THREADS_MAX} objects to write back.
   */
  @State(Scope.Benchmark)
  public static class OnPmemWithLargeLog extends StoreState {
    /** Called by JMH. */
    public OnPmemWithLargeLog() {
      super(PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY).logSegmentSize(128 << 20));
    }
  }

  /** In a PMDK pool. */
  @State(Scope.Benchmark)
  public static class OnLlpl extends StoreState {
    /** Called by JMH. */
    public OnLlpl() {
      super(Storage.LLPL);
    }
  }
}
