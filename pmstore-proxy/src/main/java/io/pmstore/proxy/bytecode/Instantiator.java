package io.pmstore.proxy.bytecode;

import io.pmstore.PmStoreException;
import io.pmstore.spi.ObjectHandle;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Makes objects of one generated class around handles. As in Java serialization, no constructor of
 * the user's class runs, only that of {@code Object}. Safe for use by any number of threads.
 */
public final class Instantiator {
  private static final MethodType SETTER =
      MethodType.methodType(void.class, Object.class, ObjectHandle.class);

  private final Constructor<?> constructor;
  private final MethodHandle handleSetter;
  private final VarHandle handle;

  /**
   * Creates the instantiator. {@code owner} is the class that declares the handle, {@code lookup}
   * has access to its private members.
   */
  Instantiator(Class<?> generated, Class<?> owner, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    constructor = blank(generated);
    handle = lookup.findVarHandle(owner, SubclassEmitter.HANDLE, ObjectHandle.class);
    handleSetter =
        lookup.findSetter(owner, SubclassEmitter.HANDLE, ObjectHandle.class).asType(SETTER);
  }

  /**
   * Returns a constructor that makes objects of a class without running its constructors: all
   * fields are zero or null.
   */
  public static Constructor<?> blank(Class<?> type) throws ReflectiveOperationException {
    return afterSuperclass(type, Object.class);
  }

  /** Does the same, but runs the constructor without arguments of a superclass. */
  static Constructor<?> afterSuperclass(Class<?> type, Class<?> superclass)
      throws ReflectiveOperationException {
    // By reflection, since javac warns of sun.reflect and its warning cannot be turned off.
    Class<?> factoryType = Class.forName("sun.reflect.ReflectionFactory");
    Object factory = factoryType.getMethod("getReflectionFactory").invoke(null);
    Method newConstructor =
        factoryType.getMethod("newConstructorForSerialization", Class.class, Constructor.class);
    return (Constructor<?>)
        newConstructor.invoke(factory, type, superclass.getDeclaredConstructor());
  }

  /** Gives a plain object a handle. Returns false if it has one. */
  boolean attach(Object plain, ObjectHandle to) {
    return handle.compareAndSet(plain, (ObjectHandle) null, to);
  }

  /** Takes its handle from an object, which is plain again. */
  void detach(Object attached) {
    handle.setVolatile(attached, (ObjectHandle) null);
  }

  /** Makes an object. */
  Object instantiate(ObjectHandle handle) {
    try {
      Object object = constructor.newInstance();
      handleSetter.invokeExact(object, handle);
      VarHandle.storeStoreFence(); // as after a final field: a thread that sees the object sees its
      // handle
      return object;
    } catch (InvocationTargetException e) {
      throw new PmStoreException(
          "an object of %s cannot be made: %s; please report this"
              .formatted(constructor, e.getCause()),
          e.getCause());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new PmStoreException(
          "an object of %s cannot be made: %s; please report this".formatted(constructor, t), t);
    }
  }
}
