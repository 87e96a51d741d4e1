package io.pmstore.jmh.opening;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.spi.PersistentObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** Makes a store of many items, closes it, and knows where they are. */
final class Population {
  private static final int BATCH = 1024;

  private final long[] addresses;
  private long wordsOffset;

  private Population(int items) {
    addresses = new long[items];
  }

  /**
   * Makes the store.
   *
   * @param items how many, 0 or more; all are reached from the root
   */
  static Population create(Path directory, PmStoreOptions options, int items) {
    Population made = new Population(items);
    PmStoreOptions relaxed = options.durability(Durability.relaxed(Duration.ofSeconds(1)));
    try (PmStore store = PmStore.open(directory, relaxed)) {
      Items root = store.root(Items.class);
      for (int first = 0; first < items; first += BATCH) {
        int from = first;
        store.transaction(() -> made.add(store, root, from, Math.min(items, from + BATCH)));
      }
      if (items > 0) {
        made.findWords(root);
      }
    }
    return made;
  }

  private void add(PmStore store, Items root, int from, int to) {
    for (int i = from; i < to; i++) {
      Item item = store.create(Item.class);
      item.setBid(i);
      item.setOlder(root.getNewest());
      root.setNewest(item);
      addresses[i] = handle(item).address();
    }
  }

  private void findWords(Items root) {
    HeapObject newest = handle(Objects.requireNonNull(root.getNewest()));
    Shape shape = new Catalogue(newest.heap()).shape(newest.heap().shapeId(newest.address()));
    long[] offsets =
        shape.properties().stream()
            .filter(property -> !property.name().equals("older"))
            .mapToLong(Property::offset)
            .sorted()
            .toArray();
    wordsOffset = offsets[0];
    if (offsets.length != 3 || offsets[2] != wordsOffset + 2 * Long.BYTES) {
      throw new IllegalStateException("the three words of " + shape + " are not side by side");
    }
  }

  private static HeapObject handle(Object object) {
    return (HeapObject) ((PersistentObject) object).pmstoreHandle();
  }

  int items() {
    return addresses.length;
  }

  /** Where the three words of an item are in the heap, one after the other. */
  long words(int item) {
    return addresses[item] + wordsOffset;
  }

  /** The same in a program that has other versions of the classes. */
  static Object firstRead(PmStore store, Class<?> items) {
    try {
      Object newest = items.getMethod("getNewest").invoke(store.root(items));
      return newest == null ? 0 : newest.getClass().getMethod("getBid").invoke(newest);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Follows the root and reads a word, as a program does first. */
  static long firstRead(PmStore store) {
    Item newest = store.root(Items.class).getNewest();
    return newest == null ? 0 : newest.getBid();
  }
}
