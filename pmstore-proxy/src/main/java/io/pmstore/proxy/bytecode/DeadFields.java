package io.pmstore.proxy.bytecode;

import io.pmstore.PmStoreException;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.DeadText;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** The fields of one class that hold a mark in its persistent objects. Immutable. */
final class DeadFields {
  private static final MethodType SETTER = MethodType.methodType(void.class, Object.class);

  private final MethodHandle[] setters;

  /** Takes the fields of type {@code String}, if code of the class may read them past the store. */
  DeadFields(BeanClass bean) throws IllegalAccessException {
    List<MethodHandle> found = new ArrayList<>();
    for (BeanProperty property : bean.properties()) {
      Field field = property.field();
      if (bean.isExposed() && field != null && field.getType() == String.class) {
        MethodHandle setter = PrivateLookups.setter(field, bean.type());
        found.add(MethodHandles.insertArguments(setter, 1, DeadText.MARK).asType(SETTER));
      }
    }
    setters = found.toArray(MethodHandle[]::new);
  }

  /** Marks a new object of the generated class. */
  void mark(Object persistent) {
    for (MethodHandle setter : setters) {
      try {
        setter.invokeExact(persistent);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable t) {
        throw new PmStoreException(
            "a field of %s cannot be marked as unused: %s; please report this"
                .formatted(persistent.getClass(), t),
            t);
      }
    }
  }
}
