package io.pmstore.cli.store;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.store.HeapAccess;
import io.pmstore.proxy.generic.GenericStore;
import java.nio.file.Path;

/** A store that a command reads. */
public final class OpenedStore implements AutoCloseable {
  private static final String LLPL = "llpl";

  private final Path directory;
  private final HeapAccess access;
  private final GenericStore generic;

  private OpenedStore(Path directory, HeapAccess access) {
    this.directory = directory;
    this.access = access;
    this.generic = new GenericStore(access.heap(), false);
  }

  /**
   * Opens a store for reading only, beside other readers. PMDK has to write to a pool to open it,
   * so a store of {@link Storage#LLPL} is opened for writing; nothing in it changes.
   *
   * @throws io.pmstore.PmStoreException if it cannot be opened; the message says why
   */
  public static OpenedStore open(Path directory) {
    HeapAccess access = HeapAccess.open(directory, options(directory));
    return orClose(access, () -> new OpenedStore(directory, access));
  }

  /** Returns options that change as little as the store's engine can. */
  public static PmStoreOptions options(Path directory) {
    PmStoreOptions options = PmStoreOptions.defaults().gcInBackground(false);
    return options.readOnly(!HeapAccess.engineName(directory).equals(LLPL));
  }

  public Path directory() {
    return directory;
  }

  public GenericStore generic() {
    return generic;
  }

  public Heap heap() {
    return access.heap();
  }

  public Catalogue catalogue() {
    return generic.catalogue();
  }

  @Override
  public void close() {
    access.close();
  }
}
