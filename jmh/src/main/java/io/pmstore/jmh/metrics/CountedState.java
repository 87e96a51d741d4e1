package io.pmstore.jmh.metrics;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreMetrics;
import io.pmstore.core.tx.CommitCounting;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.StoredQuotes;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store whose transactions are as short as one can be, so that what is counted weighs most. */
@State(Scope.Thread)
public class CountedState {
  /**
   * So many counters are used in turn: between two commits of a thread there is a transaction, and
   * without it the addition of one commit would wait for that of the commit before.
   */
  static final int COUNTERS = 16;

  /** The settings for Flight Recorder that the documents have. */
  private static final String SETTINGS = "/pmstore.jfc";

  private StoredQuotes stored;
  private Quote quote;
  private final CommitCounting[] countings = new CommitCounting[COUNTERS];
  private @Nullable Recording recording;
  private long count;

  /** Opens the store. */
  @Setup
  public void open() throws IOException, ParseException {
    stored =
        StoredQuotes.create(
            PmStoreOptions.defaults()
                .storage(Storage.FILE)
                .durability(Durability.relaxed(Duration.ofSeconds(1))),
            1);
    quote = stored.quotes()[0];
    makeCountings();
  }

  /** Looks at what a transaction counts, so that the bare calls count the same. */
  private void makeCountings() {
    StoreMetrics before = stored.store().metrics();
    transaction();
    StoreMetrics after = stored.store().metrics();
    int objects =
        (int) (after.transactions().objectsWritten() - before.transactions().objectsWritten());
    long bytes = after.log().recordBytes() - before.log().recordBytes();
    Arrays.setAll(countings, i -> CommitCounting.ofThisThread(objects, bytes));
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    stored.close();
    if (recording != null) {
      recording.close();
    }
  }

  /** Begins to record, with the settings of the documents. */
  void record() throws IOException, ParseException {
    try (Reader settings =
        new InputStreamReader(
            Objects.requireNonNull(CountedState.class.getResourceAsStream(SETTINGS)),
            StandardCharsets.UTF_8)) {
      recording = new Recording(Configuration.create(settings));
      recording.start();
    }
  }

  /** A durable transaction of one setter, acknowledged before it is on the disk. */
  void transaction() {
    long n = ++count;
    stored.store().transaction(() -> quote.setBid(n));
  }

  /** What {@value #COUNTERS} of these transactions count. */
  long counting() {
    long sum = 0;
    for (CommitCounting counting : countings) {
      sum += counting.commit();
    }
    return sum;
  }

  PmStore store() {
    return stored.store();
  }

  /** The same while Flight Recorder records. */
  @State(Scope.Thread)
  public static class Recorded extends CountedState {
    @Override
    @Setup
    public void open() throws IOException, ParseException {
      record();
      super.open();
    }
  }
}
