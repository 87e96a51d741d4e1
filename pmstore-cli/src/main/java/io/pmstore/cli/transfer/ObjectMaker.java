package io.pmstore.cli.transfer;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.generic.GenericStore;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The first reading of an export: makes every object and collection, without values. */
final class ObjectMaker extends ValueReader {
  private static final long UNDER_WAY = -1;

  private final Batch batch;
  private long[] addresses = new long[1024]; // by id
  private long count;
  private boolean incomplete;

  ObjectMaker(GenericStore store, Batch batch, long idMax) {
    super(store, idMax);
    this.batch = batch;
  }

  @Override
  void restart() {
    super.restart();
    incomplete = false;
  }

  /** Returns true if a collection waits for its comparator, which is an object. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Returns the number of objects that were made. */
  long count() {
    return count;
  }

  /** Returns the address of an id, or 0. */
  long address(long id) {
    return id > 0 && id < addresses.length ? addresses[(int) id] : 0;
  }

  @Override
  @Nullable Object reference(long id) {
    long address = address(id);
    return address > 0 ? store.at(address) : null; // it may come later
  }

  @Override
  void begin(int id, Shape shape) {
    if (isNew(id)) {
      batch.add(1, () -> addresses[id] = writer.newObject(shape));
    }
  }

  @Override
  void begin(int id, CollectionKind kind, boolean isSorted, @Nullable Comparator<?> comparator) {
    if (isSorted && comparator == null) {
      incomplete |= address(id) == 0;
    } else if (isNew(id)) {
      batch.add(
          1, () -> addresses[id] = GenericStore.address(writer.newCollection(kind, comparator)));
    }
  }

  private boolean isNew(int id) {
    if (id >= addresses.length) {
      long longer = Math.max(id + 1L, 2L * addresses.length);
      addresses = Arrays.copyOf(addresses, (int) Math.min(Integer.MAX_VALUE - 8, longer));
    }
    if (addresses[id] != 0) {
      return false;
    }
    addresses[id] = UNDER_WAY;
    count++;
    return true;
  }

  @Override
  void property(int id, Property property, @Nullable Object value) {}

  @Override
  void element(int id, @Nullable Object key, @Nullable Object value, @Nullable Integer hash) {}

  @Override
  @Nullable Object end(int id) {
    return reference(id);
  }
}
