package io.pmstore.spi;

import org.jspecify.annotations.Nullable;

/**
 * What every generated or enhanced class implements: the way from a Java object to its place in the
 * heap.
 */
public interface PersistentObject {
  /**
   * The object's handle.
   *
   * @return the handle, the same for the object's whole life
   */
  ObjectHandle pmstoreHandle();

  /**
   * Returns the handle of a persistent object. An object of an enhanced class that is not committed
   * can become plain at any time, when another thread's transaction is rolled back: who asks twice
   * may get two answers.
   *
   * @param object the object, or null
   * @return null for any other object, plain ones of enhanced classes included
   */
  static @Nullable ObjectHandle handleOf(@Nullable Object object) {
    if (object instanceof EnhancedObject enhanced) {
      return enhanced.pmstoreHandleOrNull();
    }
    return object instanceof PersistentObject persistent ? persistent.pmstoreHandle() : null;
  }

  /**
   * Returns true if an object is persistent. An object of an enhanced class may also be plain.
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
   * Does for a persistent object what {@code Object.clone()} does for a plain one. Copied code
   * calls this in its place.
   *
   * @param original the object
   * @return a new object of its class and store that has its values
   * @throws CloneNotSupportedException if the object's class is not {@link Cloneable}
   */
  static Object cloneOf(PersistentObject original) throws CloneNotSupportedException {
    if (!(original instanceof Cloneable)) {
      throw new CloneNotSupportedException(classOf(original).getName());
    }
    return original.pmstoreHandle().cloned(original);
  }

  /**
   * What {@code getClass()} stands for in copied code.
   *
   * @param object an object, persistent or plain
   * @return for an object of a generated class the class or interface that this was generated for,
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
   * Called by copied lambdas and local classes that store into arrays, before they read one from a
   * property.
   *
   * @param object the object that has the property, persistent or plain
   * @throws IllegalStateException if nothing would store what they change
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
   * Called by copied getters that assign their property, before they do.
   *
   * @param object the object that has the property, persistent or plain
   * @return true if it is persistent and the calling thread cannot write it now
   */
  static boolean isReadOnly(Object object) {
    return object instanceof PersistentObject persistent && persistent.pmstoreHandle().isReadOnly();
  }
}
