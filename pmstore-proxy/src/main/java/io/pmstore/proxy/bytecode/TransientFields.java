package io.pmstore.proxy.bytecode;

import io.pmstore.PmStoreException;
import io.pmstore.proxy.bean.BeanClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.List;

/** The fields of one class that the store does not keep. Immutable. */
final class TransientFields {
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType SETTER =
      MethodType.methodType(void.class, Object.class, Object.class);

  private final List<Field> fields;
  private final MethodHandle[] getters;
  private final MethodHandle[] setters;

  TransientFields(BeanClass bean) throws IllegalAccessException {
    fields = bean.transients();
    getters = new MethodHandle[fields.size()];
    setters = new MethodHandle[fields.size()];
    for (int i = 0; i < getters.length; i++) {
      Field field = fields.get(i);
      MethodHandles.Lookup lookup = PrivateLookups.in(field.getDeclaringClass(), bean.type());
      getters[i] = lookup.unreflectGetter(field).asType(GETTER);
      setters[i] = PrivateLookups.setter(field, bean.type()).asType(SETTER);
    }
  }

  /** Copies the values of one object to another. */
  void copy(Object from, Object to) {
    for (int i = 0; i < getters.length; i++) {
      try {
        setters[i].invokeExact(to, (Object) getters[i].invokeExact(from));
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable t) {
        throw new PmStoreException(
            "field %s cannot be copied: %s; please report this".formatted(fields.get(i), t), t);
      }
    }
  }
}
