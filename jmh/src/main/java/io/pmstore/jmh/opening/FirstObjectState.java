package io.pmstore.jmh.opening;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.access.EnhancedState;
import io.pmstore.jmh.support.Quote;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
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

  private final Copy[] copies = new Copy[OTHERS + 1];
  private TemporaryDirectory directory;
  private PmStore store;

  /** Loads one class from its bytes, and others as its parent does. */
  private static final class Copy extends ClassLoader {
    private final byte[] bytes;

    Copy(byte[] bytes) {
      super(FirstObjectState.class.getClassLoader());
      this.bytes = bytes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!name.equals(NAME)) {
          return super.loadClass(name, resolve);
        }
        Class<?> known = findLoadedClass(name);
        return known == null ? defineClass(name, bytes, 0, bytes.length) : known;
      }
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      return name.equals(FILE) ? new ByteArrayInputStream(bytes) : super.getResourceAsStream(name);
    }
  }

  /** Opens the store, and prepares the class files. */
  @Setup(Level.Iteration)
  public void prepare(BenchmarkParams parameters) throws IOException, ClassNotFoundException {
    byte[] bytes =
        form == EnhancedState.Form.ENHANCED ? EnhancedFile.of(FILE) : EnhancedFile.plain(FILE);
    for (int i = 0; i < copies.length; i++) {
      copies[i] = new Copy(bytes);
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
