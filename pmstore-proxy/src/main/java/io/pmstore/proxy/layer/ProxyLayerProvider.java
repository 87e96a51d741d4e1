package io.pmstore.proxy.layer;

import io.pmstore.EvolutionReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.schema.DryRun;
import java.util.ArrayList;
import java.util.List;

/** Makes the object layer of a store; found by the core as a service. */
public final class ProxyLayerProvider implements ObjectLayer.Provider {
  /** Creates the provider. */
  public ProxyLayerProvider() {}

  @Override
  public ObjectLayer open(Heap heap, PmStoreOptions options) {
    return new ProxyLayer(heap, options);
  }

  @Override
  public EvolutionReport dryRun(Heap heap, PmStoreOptions options, List<Class<?>> classes) {
    List<Class<?>> all = new ArrayList<>(classes);
    all.addAll(options.classes());
    return DryRun.of(new Catalogue(heap), new Migrations(options.migrations()), all);
  }
}
