package io.pmstore.proxy.facade;

import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;

/**
 * An object of a JDK class that stands for a whole persistent collection: assigning it assigns the
 * collection.
 */
public interface Facade extends View, PersistentObject {
  @Override
  default ObjectHandle pmstoreHandle() {
    return pmstoreCollection().pmstoreHandle();
  }
}
