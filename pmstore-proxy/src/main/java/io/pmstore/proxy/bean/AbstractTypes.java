package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.Modifier;

/** Tells which types have no objects of their own: only classes that extend them have. */
public final class AbstractTypes {
  private AbstractTypes() {}

  /**
   * Returns true for an abstract class, and for an interface that is not persistent: the store
   * makes objects of one that is.
   */
  public static boolean isAbstract(Class<?> type) {
    if (type.isInterface()) {
      return !type.isAnnotationPresent(Persistent.class);
    }
    boolean isOtherKind = type.isEnum() || type.isArray() || type.isPrimitive();
    return Modifier.isAbstract(type.getModifiers()) && !isOtherKind;
  }
}
