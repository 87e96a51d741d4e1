package io.pmstore.proxy.bytecode;

import io.pmstore.ClassRefusedException;
import io.pmstore.PmStoreException;
import io.pmstore.proxy.bean.BeanClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Makes plain objects of one class, and sets their fields. Immutable. */
final class PlainFields {
  private static final MethodType SETTER =
      MethodType.methodType(void.class, Object.class, Object.class);

  private final Class<?> type;
  private final Blank blank;
  private final MethodHandle[] setters;

  PlainFields(BeanClass bean) {
    this.type = bean.type();
    if (type.isInterface()) {
      throw new ClassRefusedException(
          "interface %s has no plain objects, so its objects cannot be copied; leave them out by the predicate of PmStore.copy, or use a class"
              .formatted(type.getName()));
    }
    try {
      blank = Elements.blank(type);
      setters = new MethodHandle[bean.properties().size()];
      for (int i = 0; i < setters.length; i++) {
        Field field = bean.properties().get(i).requiredField();
        MethodHandle setter =
            Elements.isIn(field) ? Elements.WRITER : PrivateLookups.setter(field, type);
        setters[i] = setter.asType(SETTER);
      }
    } catch (ReflectiveOperationException e) {
      throw new ClassRefusedException(
          "plain objects of class %s cannot be made: %s; leave them out by the predicate of PmStore.copy"
              .formatted(type.getName(), e),
          e);
    }
  }

  Object newObject() {
    return blank.make();
  }

  void write(Object plain, int index, @Nullable Object value) {
    try {
      setters[index].invokeExact(plain, value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new PmStoreException(
          "property %d of a plain object of class %s cannot be written: %s; please report this"
              .formatted(index, type.getName(), t),
          t);
    }
  }
}
