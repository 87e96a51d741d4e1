/**
 * What users of pmstore compile against: annotations, the store, its options and its exceptions.
 *
 * <p>{@code io.pmstore} is the API. {@code io.pmstore.spi} is exported because the classes pmstore
 * generates live beside the user's own classes and call into it; programs do not use it themselves.
 */
module io.pmstore.api {
  requires static org.jspecify;

  exports io.pmstore;
  exports io.pmstore.spi;

  uses io.pmstore.StoreProvider;
}
