import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.proxy.layer.ProxyLayerProvider;

/**
 * The object layer: generated subclasses, identity, conversion of plain objects, persistent
 * collections.
 */
module io.pmstore.proxy {
  requires io.pmstore.core;
  requires static java.sql;
  requires jdk.unsupported;
  requires net.bytebuddy;
  requires static org.jspecify;

  provides ObjectLayer.Provider with
      ProxyLayerProvider;
}
