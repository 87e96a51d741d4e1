package io.pmstore.proxy.bytecode;

import io.pmstore.PmStoreException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Makes objects of one class without running its constructors, as Java serialization does. All
 * fields are zero or null. Immutable.
 */
public final class Blank {
  private static final MethodHandle ALLOCATE = allocate();

  private final Class<?> type;
  private final @Nullable Constructor<?> constructor; // runs that of a superclass

  private Blank(Class<?> type, @Nullable Constructor<?> constructor) {
    this.type = type;
    this.constructor = constructor;
  }

  /** Returns what makes objects of a class, which {@link #make} refuses if it is abstract. */
  public static Blank of(Class<?> type) {
    return new Blank(type, null);
  }

  /** Does the same, but runs the constructor without arguments of a superclass. */
  static Blank afterSuperclass(Class<?> type, Class<?> superclass)
      throws ReflectiveOperationException {
    // By reflection, since javac warns of sun.reflect and its warning cannot be turned off.
    Class<?> factoryType = Class.forName("sun.reflect.ReflectionFactory");
    Object factory = factoryType.getMethod("getReflectionFactory").invoke(null);
    Object made =
        factoryType
            .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
            .invoke(factory, type, superclass.getDeclaredConstructor());
    return new Blank(type, (Constructor<?>) made);
  }

  /**
   * Returns what makes objects of any class. A native image has no constructor for serialization of
   * a class that is not {@code Serializable}.
   */
  private static MethodHandle allocate() {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe"); // javac warns of it, too
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      return MethodHandles.lookup()
          .findVirtual(unsafe, "allocateInstance", MethodType.methodType(Object.class, Class.class))
          .bindTo(instance.get(null));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the module jdk.unsupported lacks a way to make objects", e);
    }
  }

  /** Makes an object. */
  public Object make() {
    try {
      return constructor == null ? (Object) ALLOCATE.invokeExact(type) : constructor.newInstance();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      Throwable cause = t.getCause() == null ? t : t.getCause();
      throw new PmStoreException(
          "an object of class %s cannot be made: %s; please report this"
              .formatted(type.getName(), cause),
          cause);
    }
  }
}
