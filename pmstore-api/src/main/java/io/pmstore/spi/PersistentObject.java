package io.pmstore.spi;

/** What every generated class implements: the way from a Java object to its place in the heap. */
public interface PersistentObject {
  /**
   * The object's handle.
   *
   * @return the handle, the same for the object's whole life
   */
  ObjectHandle pmstoreHandle();
}
