package io.pmstore.jmh.evolution;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.support.OtherVersion;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store whose objects were stored before their class changed. */
@State(Scope.Benchmark)
public class EvolvedState {
  static final int OBJECTS = 1024;

  /** True if the objects keep the shape that they were stored with. */
  public enum Kind {
    /** They were made by today's class, in a store that has no older shape of it. */
    CURRENT,
    /** They have the older shape. */
    OLDER,
    /** They had the older shape, and outgrew their place when they were upgraded. */
    UPGRADED
  }

  /** The kind of the objects. */
  @Param({"CURRENT", "OLDER", "UPGRADED"})
  public Kind kind;

  private TemporaryDirectory directory;
  PmStore store;
  EvolvingQuote[] quotes;

  /** Makes the store and opens it again. */
  @Setup
  public void open() throws IOException, InterruptedException {
    directory = TemporaryDirectory.create(Storage.PERSISTENT_MEMORY);
    Path path = directory.path().resolve("store");
    PmStoreOptions options = PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY);
    try (PmStore made = PmStore.open(path, options)) {
      made.transaction(() -> fill(made));
    }
    store = PmStore.open(path, options);
    if (kind == Kind.UPGRADED) {
      store.upgrade().await();
    }
    List<Object> all = store.root(Quotes.class).getAll();
    quotes = all.stream().map(EvolvingQuote.class::cast).toArray(EvolvingQuote[]::new);
  }

  private void fill(PmStore made) {
    Class<?> type =
        kind == Kind.CURRENT
            ? EvolvingQuote.class
            : new OtherVersion(Map.of(EvolvingQuote.class, OldQuote.class))
                .version(EvolvingQuote.class);
    List<Object> all = made.root(Quotes.class).getAll();
    for (int i = 0; i < OBJECTS; i++) {
      all.add(made.create(type));
    }
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    store.close();
    directory.close();
  }
}
