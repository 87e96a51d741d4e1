package io.pmstore.proxy.generic;

import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A comparator that a new sorted collection is to hold as a value.
 *
 * @param value the enum constant or the object
 */
@SuppressWarnings("UnusedVariable") // it only stands for a comparator
record StoredComparator(Object value) implements Comparator<@Nullable Object>, PersistentObject {
  @Override
  public int compare(@Nullable Object one, @Nullable Object other) {
    return GenericComparator.unknown(value.toString());
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    throw new IllegalStateException("a comparator that is about to be stored has no handle");
  }
}
