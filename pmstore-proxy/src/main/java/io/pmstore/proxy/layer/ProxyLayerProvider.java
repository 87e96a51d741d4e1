package io.pmstore.proxy.layer;

import io.pmstore.ClassReport;
import io.pmstore.EvolutionReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapWalk;
import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.schema.ClassCheck;
import io.pmstore.proxy.schema.DryRun;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.value.RegisteredTypes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** Makes the object layer of a store. Core finds it with {@code ServiceLoader}. */
public final class ProxyLayerProvider implements ObjectLayer.Provider {
  public ProxyLayerProvider() {}

  @Override
  public void prepare() {
    Preparation.begin();
  }

  @Override
  public ObjectLayer open(Heap heap, PmStoreOptions options) {
    Preparation.await();
    return new ProxyLayer(heap, options);
  }

  @Override
  public EvolutionReport dryRun(Heap heap, PmStoreOptions options, List<Class<?>> classes) {
    List<Class<?>> all = new ArrayList<>(classes);
    all.addAll(options.classes());
    Catalogue catalogue = new Catalogue(heap);
    Migrations migrations = new Migrations(options.migrations());
    StoreSchema schema = new StoreSchema(catalogue, migrations);
    RegisteredTypes registered = new RegisteredTypes(catalogue, options.valueTypes(), () -> schema);
    return DryRun.of(
        catalogue, migrations, registered::has, () -> shapesOfObjects(heap, catalogue), all);
  }

  private static BitSet shapesOfObjects(Heap heap, Catalogue catalogue) {
    heap.bodies().forwarder(NodeShapes.forwarder(catalogue, false));
    BitSet shapes = new BitSet();
    HeapWalk walk = new HeapWalk(heap, 0, (_, header) -> shapes.set(ObjectLayout.shapeId(header)));
    boolean more = true;
    while (more) {
      more = walk.step();
    }
    return shapes;
  }

  @Override
  public ClassReport check(PmStoreOptions options, List<Class<?>> classes) {
    List<Class<?>> all = new ArrayList<>(classes);
    all.addAll(options.classes());
    Set<Class<?>> codecs = options.valueTypes().keySet();
    return ClassCheck.of(
        all, type -> codecs.stream().anyMatch(known -> known.isAssignableFrom(type)));
  }
}
