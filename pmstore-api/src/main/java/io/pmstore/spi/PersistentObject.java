package io.pmstore.spi;

import java.io.NotSerializableException;
import org.jspecify.annotations.Nullable;

/**
 * The interface that every generated or enhanced class implements. It leads from a Java object to
 * its object in the heap. Safe for use by any number of threads.
 */
public interface PersistentObject {
  /**
   * Returns the object's handle.
   *
   * @return the handle, the same for the object's whole life
   */
  ObjectHandle pmstoreHandle();

  /**
   * Returns the handle of a persistent object. An uncommitted object of an enhanced class can
   * become plain at any time, if another thread's transaction rolls back. So two calls may return
   * different results.
   *
   * @param object the object, or null
   * @return the handle; null for any other object, including a plain object of an enhanced class
   */
  static @Nullable ObjectHandle handleOf(@Nullable Object object) {
    if (object instanceof EnhancedObject enhanced) {
      return enhanced.pmstoreHandleOrNull();
    }
    return object instanceof PersistentObject persistent ? persistent.pmstoreHandle() : null;
  }

  /**
   * Returns true if an object is persistent. An object of an enhanced class may be plain.
   *
   * @param object any object, or null
   * @return false for null and for plain objects
   */
  static boolean isPersistent(@Nullable Object object) {
    return object instanceof EnhancedObject enhanced
        ? enhanced.pmstoreHandleOrNull() != null
        : object instanceof PersistentObject;
  }

  /**
   * Clones a persistent object, as {@code Object.clone()} clones a plain one. Copied code calls
   * this method in place of {@code super.clone()}.
   *
   * @param original the object
   * @return a new object of the same class and store with the same values
   * @throws CloneNotSupportedException if the object's class is not {@link Cloneable}
   */
  static Object cloneOf(PersistentObject original) throws CloneNotSupportedException {
    if (!(original instanceof Cloneable)) {
      throw new CloneNotSupportedException(classOf(original).getName());
    }
    return original.pmstoreHandle().cloned(original);
  }

  /**
   * Returns the class of an object as the program knows it. Copied code calls this method in place
   * of {@code getClass()}.
   *
   * @param object an object, persistent or plain
   * @return for an object of a generated class, the class or interface for which it was generated;
   *     otherwise the object's class
   */
  static Class<?> classOf(Object object) {
    Class<?> type = object.getClass();
    if (object instanceof PersistentObject && type.isSynthetic()) {
      Class<?> superclass = type.getSuperclass();
      return superclass == Object.class ? type.getInterfaces()[0] : superclass;
    }
    return type;
  }

  /**
   * Returns an object that Java serialization is about to write, if it is plain.
   *
   * @param object the object
   * @return the object
   * @throws NotSerializableException if the object is persistent, because its fields do not have
   *     its values
   */
  static Object serialized(PersistentObject object) throws NotSerializableException {
    if (isPersistent(object)) {
      throw new NotSerializableException(
          classOf(object).getName()
              + ": a persistent object's values are in the store, not in its fields; serialize a"
              + " copy, which PmStore.copy makes");
    }
    return object;
  }

  /**
   * Throws if changes in an array of a property would be lost. Copied lambdas and local classes
   * that store into arrays call this method before they read an array from a property.
   *
   * @param object the object that has the property, persistent or plain
   * @throws IllegalStateException if the object is persistent and the calling thread runs no method
   *     that may change values in place
   */
  static void checkChanging(Object object) {
    if (object instanceof PersistentObject persistent
        && !persistent.pmstoreHandle().isChangingInPlace()) {
      throw new IllegalStateException(
          "a lambda or local class of "
              + classOf(object).getName()
              + " that changes elements of an array runs after the method that made it has ended,"
              + " or in another thread, so the changes would be lost; let it call a method of the"
              + " object that changes them");
    }
  }

  /**
   * Returns true if the calling thread cannot write a property now. Copied getters that assign
   * their property call this method first.
   *
   * @param object the object that has the property, persistent or plain
   * @return true if the object is persistent and the calling thread cannot write it now
   */
  static boolean isReadOnly(Object object) {
    return object instanceof PersistentObject persistent && persistent.pmstoreHandle().isReadOnly();
  }
}
