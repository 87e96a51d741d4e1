package io.pmstore.proxy.bytecode;

import io.pmstore.PmStoreException;
import io.pmstore.proxy.bean.BeanClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls the {@link io.pmstore.OnLoad} methods of one class. Immutable. */
final class OnLoadCalls {
  private static final MethodType CALL = MethodType.methodType(void.class, Object.class);

  private final List<Method> methods;
  private final MethodHandle[] handles;

  /**
   * Finds the methods to call. {@code copied} is the copied code of the class; null for an
   * interface.
   */
  OnLoadCalls(BeanClass bean, @Nullable CopiedCode copied) throws ReflectiveOperationException {
    methods = bean.onLoad();
    handles = new MethodHandle[methods.size()];
    for (int i = 0; i < handles.length; i++) {
      Method method = methods.get(i);
      MethodHandles.Lookup lookup = PrivateLookups.in(method.getDeclaringClass(), bean.type());
      handles[i] = handle(method, copied, lookup).asType(CALL);
    }
  }

  /**
   * Returns the handle that calls a method. A private method is not overridden, so its copy is
   * called, if it has one.
   */
  private static MethodHandle handle(
      Method method, @Nullable CopiedCode copied, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    String key = method.getName() + "()V";
    for (CopiedCode of = copied; of != null; of = of.superclass()) {
      if (of.code().type() == method.getDeclaringClass()
          && Modifier.isPrivate(method.getModifiers())
          && of.code().touches(key)) {
        CopiedCode.Target target = of.method(key);
        return lookup.findStatic(
            lookup.findClass(of.name()),
            target.name(),
            MethodType.methodType(void.class, of.code().type()));
      }
    }
    return lookup.unreflect(method);
  }

  boolean isEmpty() {
    return handles.length == 0;
  }

  /** Calls the methods on a persistent object. */
  void run(Object object) {
    for (int i = 0; i < handles.length; i++) {
      try {
        handles[i].invokeExact(object);
      } catch (PmStoreException | Error e) { // a transaction that has to run again throws an Error
        throw e;
      } catch (Throwable t) {
        throw new PmStoreException(
            "an object cannot be read back, because %s.%s, which is annotated with @OnLoad, threw %s; correct the method"
                .formatted(
                    methods.get(i).getDeclaringClass().getName(), methods.get(i).getName(), t),
            t);
      }
    }
  }
}
