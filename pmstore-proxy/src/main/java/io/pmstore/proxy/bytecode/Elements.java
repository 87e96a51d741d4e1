package io.pmstore.proxy.bytecode;

import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;

/**
 * The property of an enhanced class that extends a collection class of the JDK. A plain object has
 * its value not in the field but in the fields of the JDK's class.
 */
final class Elements {
  static final MethodHandle READER;
  static final MethodHandle WRITER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      READER =
          lookup.findStatic(
              EnhancedElements.class,
              "copied",
              MethodType.methodType(Object.class, EnhancedCollection.class));
      WRITER =
          lookup.findStatic(
              EnhancedElements.class,
              "replace",
              MethodType.methodType(void.class, EnhancedCollection.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("methods of " + EnhancedElements.class + " are missing", e);
    }
  }

  private Elements() {}

  /** Returns true for the field of that property. */
  static boolean isIn(Field field) {
    Class<?> owner = field.getDeclaringClass();
    return field.getName().equals(EnhancedCollection.ELEMENTS)
        && EnhancedCollection.class.isAssignableFrom(owner)
        && EnhancedElements.superclass(owner.getSuperclass().getName()) != null;
  }

  /**
   * Returns a constructor that makes plain objects without running constructors of the program: an
   * object that extends a collection class of the JDK has no elements.
   */
  static Constructor<?> blank(Class<?> type) throws ReflectiveOperationException {
    if (!EnhancedCollection.class.isAssignableFrom(type)) {
      return Instantiator.blank(type);
    }
    Class<?> above = type;
    while (EnhancedCollection.class.isAssignableFrom(above)) {
      above = above.getSuperclass();
    }
    return Instantiator.afterSuperclass(type, above);
  }
}
