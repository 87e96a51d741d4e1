package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.SlotKind;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A property of a persistent class: a getter and a setter, which the generated class overrides.
 *
 * @param name as the accessors spell it, decapitalized
 * @param kind how it lies in the heap
 * @param getter returns it
 * @param setter takes it
 * @param field holds it in a plain object; null if the class is an interface
 * @param getterLine where the getter is in its source file; 0 if unknown
 * @param setterLine where the setter is in its source file; 0 if unknown
 */
public record BeanProperty(
    String name,
    SlotKind kind,
    Method getter,
    Method setter,
    @Nullable Field field,
    int getterLine,
    int setterLine) {

  /**
   * The declared type.
   *
   * @return what the getter returns
   */
  public Class<?> type() {
    return getter.getReturnType();
  }
}
