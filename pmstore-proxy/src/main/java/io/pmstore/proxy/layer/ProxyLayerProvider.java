package io.pmstore.proxy.layer;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.ObjectLayer;

/** Makes the object layer of a store; found by the core as a service. */
public final class ProxyLayerProvider implements ObjectLayer.Provider {
  /** Creates the provider. */
  public ProxyLayerProvider() {}

  @Override
  public ObjectLayer open(Heap heap) {
    return new ProxyLayer(heap);
  }
}
