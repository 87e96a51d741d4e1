/**
 * The module that programs compile against: annotations, the store, its options and its exceptions.
 *
 * <p>{@code io.pmstore} is the API. {@code io.pmstore.spi} is exported because the classes that
 * pmstore generates beside the program's own classes call it. Programs do not use it themselves.
 */
module io.pmstore.api {
  requires static org.jspecify;

  exports io.pmstore;
  exports io.pmstore.spi;

  uses io.pmstore.StoreProvider;
}
