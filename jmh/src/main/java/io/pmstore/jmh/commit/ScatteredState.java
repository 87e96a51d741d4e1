package io.pmstore.jmh.commit;

import io.pmstore.PmStore;
import io.pmstore.Storage;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store on persistent memory that one thread changes at random places. */
@State(Scope.Benchmark)
public class ScatteredState {
  /** How many objects are changed, in random order. */
  @Param("262144")
  public int scatteredObjects;

  private final SplittableRandom random = new SplittableRandom(1);
  private StoredQuotes stored;
  private PmStore store;
  private Quote[] quotes;
  private long count;

  /** Opens the store. */
  @Setup
  public void open() throws IOException {
    stored = StoredQuotes.create(Storage.PERSISTENT_MEMORY, scatteredObjects);
    store = stored.store();
    quotes = stored.quotes();
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    stored.close();
  }

  final void transaction() {
    Quote quote = quotes[random.nextInt(quotes.length)];
    long n = ++count;
    store.transaction(
        () -> {
          quote.setBid(n);
          quote.setAsk(n + 1);
          quote.setTime(n + 2);
        });
  }
}
