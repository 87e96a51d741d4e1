package io.pmstore.proxy.bytecode;

import io.pmstore.PmStoreException;
import io.pmstore.spi.ObjectHandle;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/**
 * Makes objects of one generated class around handles. No constructor runs. Safe for use by any
 * number of threads.
 */
public final class Instantiator {
  private static final MethodType SETTER =
      MethodType.methodType(void.class, Object.class, ObjectHandle.class);

  private final Blank blank;
  private final MethodHandle handleSetter;
  private final VarHandle handle;

  /**
   * Creates the instantiator. {@code owner} is the class that declares the handle, {@code lookup}
   * has access to its private members.
   */
  Instantiator(Class<?> generated, Class<?> owner, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    blank = Blank.of(generated);
    handle = lookup.findVarHandle(owner, SubclassEmitter.HANDLE, ObjectHandle.class);
    handleSetter =
        lookup.findSetter(owner, SubclassEmitter.HANDLE, ObjectHandle.class).asType(SETTER);
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
    Object object = blank.make();
    try {
      handleSetter.invokeExact(object, handle);
    } catch (Throwable t) {
      throw new PmStoreException(
          "an object of %s cannot get its handle: %s; please report this"
              .formatted(object.getClass(), t),
          t);
    }
    // As after a final field: a thread that sees the object sees its handle.
    VarHandle.storeStoreFence();
    return object;
  }
}
