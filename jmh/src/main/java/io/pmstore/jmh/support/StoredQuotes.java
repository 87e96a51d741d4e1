package io.pmstore.jmh.support;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.PersistentObject;
import java.io.IOException;

/** A new store with some quotes, and the ways into its layers. */
public final class StoredQuotes implements AutoCloseable {
  private static final int BATCH = 1024;

  private final TemporaryDirectory directory;
  private final PmStore store;
  private final Quote[] quotes;
  private final long[] addresses;
  private final Heap heap;

  private StoredQuotes(TemporaryDirectory directory, PmStore store, int count) {
    this.directory = directory;
    this.store = store;
    quotes = create(count);
    addresses = new long[count];
    for (int i = 0; i < count; i++) {
      addresses[i] = handle(quotes[i]).address();
    }
    heap = handle(quotes[0]).heap();
  }

  /**
   * Makes a store.
   *
   * @param count of its quotes, at least 1
   * @return the store, open
   * @throws IOException if there is no place for it
   */
  public static StoredQuotes create(Storage storage, int count) throws IOException {
    return create(PmStoreOptions.defaults().storage(storage).llplPoolSize(128 << 20), count);
  }

  /**
   * Makes a store.
   *
   * @param options how; they name a storage
   * @param count of its quotes, at least 1
   * @return the store, open
   * @throws IOException if there is no place for it
   */
  public static StoredQuotes create(PmStoreOptions options, int count) throws IOException {
    TemporaryDirectory directory = TemporaryDirectory.create(options.storage());
    PmStore store = PmStore.open(directory.path().resolve("store"), options);
    return new StoredQuotes(directory, store, count);
  }

  private Quote[] create(int count) {
    Quote[] created = new Quote[count];
    for (int first = 0; first < count; first += BATCH) {
      int from = first;
      store.transaction(
          () -> {
            for (int i = from; i < Math.min(count, from + BATCH); i++) {
              created[i] = store.create(Quote.class);
              created[i].setBid(i);
            }
          });
    }
    return created;
  }

  private static HeapObject handle(Quote quote) {
    return (HeapObject) ((PersistentObject) quote).pmstoreHandle();
  }

  /** The store, as a user has it. */
  public PmStore store() {
    return store;
  }

  /** The heap under the store. */
  public Heap heap() {
    return heap;
  }

  /** The quotes, which are objects of the generated class; not a copy. */
  public Quote[] quotes() {
    return quotes;
  }

  /** The addresses of the quotes in the heap, in the order of {@link #quotes}; not a copy. */
  public long[] addresses() {
    return addresses;
  }

  /** The offset of a property in the object of a quote, in bytes. */
  public int offset(String name) {
    Shape shape = new Catalogue(heap).shape(heap.shapeId(addresses[0]));
    return shape.properties().stream()
        .filter(property -> property.name().equals(name))
        .mapToInt(Property::offset)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " is no property of " + shape));
  }

  @Override
  public void close() {
    store.close();
    directory.close();
  }
}
