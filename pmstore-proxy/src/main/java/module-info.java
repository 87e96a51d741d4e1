import io.pmstore.core.heap.ObjectLayer;
import io.pmstore.proxy.layer.ProxyLayerProvider;

/**
 * The object layer: generated subclasses, identity, conversion of plain objects, persistent
 * collections.
 */
@SuppressWarnings("module") // the builder of images is not there
module io.pmstore.proxy {
  requires io.pmstore.core;
  requires static java.sql;
  requires jdk.unsupported;
  requires net.bytebuddy;
  requires static org.graalvm.nativeimage; // there in a builder of images
  requires static org.jspecify;

  exports io.pmstore.proxy.image to
      org.graalvm.nativeimage.builder;

  provides ObjectLayer.Provider with
      ProxyLayerProvider;
}
