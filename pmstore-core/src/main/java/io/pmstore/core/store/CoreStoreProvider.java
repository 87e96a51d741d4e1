package io.pmstore.core.store;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.spi.StoreProvider;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** Opens stores: the engine first, then the heap on it, then the object layer on the heap. */
public final class CoreStoreProvider implements StoreProvider {
  /** For {@link ServiceLoader}. */
  public CoreStoreProvider() {}

  @Override
  public PmStore open(Path directory, PmStoreOptions options) {
    ObjectLayer.Provider layer = layerProvider(); // before anything is touched
    Engine engine = Engines.open(directory, options);
    try {
      return new HeapStore(new Heap(engine, options.durability(), layer::open));
    } catch (Throwable t) {
      closeAfter(t, engine);
      throw t;
    }
  }

  private static ObjectLayer.Provider layerProvider() {
    return ServiceLoader.load(
            ObjectLayer.Provider.class, ObjectLayer.Provider.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new PmStoreException(
                    "pmstore's object layer was not found beside its core; depend on"
                        + " io.pmstore:pmstore, which brings both"));
  }

  private static void closeAfter(Throwable t, Engine engine) {
    try {
      engine.close();
    } catch (RuntimeException e) {
      t.addSuppressed(e);
    }
  }
}
