package io.pmstore.jmh.opening;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.access.EnhancedState;
import io.pmstore.jmh.support.OtherVersion;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** An open store, and class files of one class, each in a class loader of its own. */
@State(Scope.Benchmark)
public class FirstObjectState {
  /** How many classes {@link FirstObjectBenchmark#afterOthers} uses before. */
  static final int OTHERS = 20;

  private static final String NAME = "io.pmstore.jmh.access.EnhancedQuote";
  private static final String FILE = NAME.replace('.', '/') + ".class";

  /** What becomes of the class. */
  @Param({"GENERATED", "ENHANCED"})
  public EnhancedState.Form form;

  private final OtherVersion[] copies = new OtherVersion[OTHERS + 1];
  private TemporaryDirectory directory;
  private PmStore store;

  /** Opens the store, and prepares the class files. */
  @Setup(Level.Iteration)
  public void prepare(BenchmarkParams parameters) throws IOException, ClassNotFoundException {
    byte[] bytes =
        form == EnhancedState.Form.ENHANCED ? EnhancedFile.of(FILE) : EnhancedFile.plain(FILE);
    for (int i = 0; i < copies.length; i++) {
      copies[i] = new OtherVersion(NAME, bytes);
    }
    directory = TemporaryDirectory.create(Storage.PERSISTENT_MEMORY);
    store =
        PmStore.open(
            directory.path().resolve("store"),
            PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY));
    Quote _ = store.create(Quote.class); // of a generated class
    int before = parameters.getBenchmark().endsWith(".afterOthers") ? OTHERS : 0;
    for (int i = 0; i < before; i++) {
      Object _ = make(i);
    }
  }

  /** Loads one of the classes and makes its first object. */
  final Object make(int which) throws ClassNotFoundException {
    return store.create(copies[which].loadClass(NAME));
  }

  /** Closes the store and deletes it. */
  @TearDown(Level.Iteration)
  public void close() {
    store.close();
    directory.close();
  }
}
