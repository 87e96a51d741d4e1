package io.pmstore.spi;

import org.jspecify.annotations.Nullable;

/**
 * The interface that every enhanced class implements. An object of such a class is plain until a
 * store attaches a handle to it; from then on it is persistent. If the transaction that attached
 * the handle rolls back, the store detaches it.
 *
 * <p>The enhancer adds to the class:
 *
 * <ul>
 *   <li>the field {@link #HANDLE}, in the topmost enhanced class of a hierarchy
 *   <li>for each persistent field that the class has or inherits the methods {@link #GET} and
 *       {@link #PUT}, followed by {@link #member}. Code that the enhancer sees calls them instead
 *       of using the field
 * </ul>
 */
public interface EnhancedObject extends PersistentObject {
  /** The name of the field that holds the handle; null while the object is plain. */
  String HANDLE = "pmstore$handle";

  /** The beginning of the names of the methods that read a field. */
  String GET = "pmstore$get:";

  /** The beginning of the names of the methods that write a field. */
  String PUT = "pmstore$put:";

  /**
   * Returns the part of a method name, after {@link #GET} or {@link #PUT}, that identifies a field.
   *
   * @param owner the binary name of the class that declares the field
   * @param field the name of the field
   * @return both names, with {@code :} in place of {@code .} and {@code /}
   */
  static String member(String owner, String field) {
    return owner.replace('.', ':').replace('/', ':') + ":" + field;
  }

  /**
   * Returns the object's handle.
   *
   * @return the handle; null while the object is plain
   */
  @Nullable ObjectHandle pmstoreHandleOrNull();

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException while the object is plain
   */
  @Override
  default ObjectHandle pmstoreHandle() {
    ObjectHandle handle = pmstoreHandleOrNull();
    if (handle == null) {
      throw new IllegalStateException(
          "an object of class "
              + getClass().getName()
              + " is plain and has no place in a store; assign it to a persistent object first");
    }
    return handle;
  }
}
