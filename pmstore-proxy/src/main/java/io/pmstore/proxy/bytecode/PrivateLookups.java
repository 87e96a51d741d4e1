package io.pmstore.proxy.bytecode;

import io.pmstore.ClassRefusedException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;

/** Access to the private members of the user's classes. */
public final class PrivateLookups {
  private PrivateLookups() {}

  /**
   * Returns a lookup with full access to {@code owner}. {@code type} is the persistent class, for
   * the message.
   *
   * @throws ClassRefusedException if the module of {@code owner} does not open its package
   */
  public static MethodHandles.Lookup in(Class<?> owner, Class<?> type) {
    Module own = PrivateLookups.class.getModule();
    own.addReads(owner.getModule());
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw new ClassRefusedException(
          "class %s cannot be kept in a store: module %s does not open package %s; add \"opens %s to %s;\" to its module-info.java"
              .formatted(
                  type.getName(),
                  owner.getModule().getName(),
                  owner.getPackageName(),
                  owner.getPackageName(),
                  own.isNamed() ? own.getName() : "io.pmstore.proxy"),
          e);
    }
  }

  /** Returns the setter of a field of {@code type} or a superclass, even of one that is final. */
  static MethodHandle setter(Field field, Class<?> type) throws IllegalAccessException {
    field.setAccessible(true);
    return in(field.getDeclaringClass(), type).unreflectSetter(field);
  }
}
