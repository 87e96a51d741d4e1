package io.pmstore.core.store;

import io.pmstore.ClassReport;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.heap.ObjectLayer;
import java.util.List;

/** Opens layers without classes. */
class NoClasses implements ObjectLayer.Provider {
  @Override
  public final void prepare() {}

  @Override
  public ObjectLayer open(Heap heap, PmStoreOptions options) {
    return new NoObjects();
  }

  @Override
  public final EvolutionReport dryRun(Heap heap, PmStoreOptions options, List<Class<?>> classes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public final ClassReport check(PmStoreOptions options, List<Class<?>> classes) {
    throw new UnsupportedOperationException();
  }
}
