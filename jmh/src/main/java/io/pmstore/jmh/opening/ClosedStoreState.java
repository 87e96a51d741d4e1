package io.pmstore.jmh.opening;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.support.OtherVersion;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A store that was closed; made once, opened by each invocation, closed again after it. */
@State(Scope.Benchmark)
public class ClosedStoreState {
  /** How many objects the store has beside its root. */
  @Param({"0", "10000000"})
  public int storedObjects;

  @Param({"FILE", "PERSISTENT_MEMORY"})
  public Storage storage;

  // Both classes: each refers to the other.
  private static final OtherVersion EVOLVED =
      new OtherVersion(Map.of(Item.class, EvolvedItem.class, Items.class, Items.class));

  private TemporaryDirectory directory;
  private PmStoreOptions options;
  private Path path;
  private @Nullable PmStore opened;

  @Setup
  public void create() throws IOException {
    directory = TemporaryDirectory.create(storage);
    options = PmStoreOptions.defaults().storage(storage);
    path = directory.path().resolve("store");
    Population.create(path, options, storedObjects);
  }

  final long openAndRead() {
    PmStore store = PmStore.open(path, options);
    opened = store;
    return Population.firstRead(store);
  }

  final Object openAndReadEvolved() {
    PmStore store = PmStore.open(path, options);
    opened = store;
    return Population.firstRead(store, EVOLVED.version(Items.class));
  }

  @TearDown(Level.Invocation)
  public void close() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }

  @TearDown
  public void delete() {
    directory.close();
  }
}
