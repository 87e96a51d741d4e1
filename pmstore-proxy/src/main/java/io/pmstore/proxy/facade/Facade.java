package io.pmstore.proxy.facade;

import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import org.jspecify.annotations.Nullable;

/**
 * An object of a JDK class that stands for a whole persistent collection: assigning it assigns the
 * collection.
 */
public interface Facade extends View, PersistentObject {
  /** Returns the facade of the same collection that was made before this one, or null. */
  @Nullable Facade pmstoreNext();

  @Override
  default ObjectHandle pmstoreHandle() {
    return pmstoreCollection().pmstoreHandle();
  }
}
