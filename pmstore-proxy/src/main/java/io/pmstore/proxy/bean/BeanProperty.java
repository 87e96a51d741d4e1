package io.pmstore.proxy.bean;

import io.pmstore.core.catalogue.SlotKind;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A property of a persistent class: a field of a class, or a pair of accessors of an interface.
 *
 * @param name as the accessors spell it, decapitalized; the field's name if it has none; with the
 *     name of the field's class in front where the hierarchy has several properties of that name
 * @param type the declared type
 * @param kind how it lies in the heap
 * @param getter does nothing but return it; null if nothing does, never for an interface
 * @param setter does nothing but assign it; null if nothing does, never for an interface
 * @param field holds it in a plain object; null if the class is an interface
 * @param elements the classes that its collection shows its elements as; null if none
 */
public record BeanProperty(
    String name,
    Class<?> type,
    SlotKind kind,
    @Nullable Method getter,
    @Nullable Method setter,
    @Nullable Field field,
    @Nullable ElementClasses elements) {

  /**
   * Returns the field.
   *
   * @throws IllegalStateException if the property is one of an interface
   */
  public Field requiredField() {
    if (field == null) {
      throw new IllegalStateException("property " + name + " of a class has no field");
    }
    return field;
  }

  /** Returns the declared type with its type arguments. */
  Type genericType() {
    return field != null
        ? field.getGenericType()
        : Objects.requireNonNull(getter).getGenericReturnType();
  }

  /**
   * Returns the name of a field's property where the hierarchy has several properties of one name.
   * {@code owner} is the name, today's or a former one, of the class that declares the field.
   */
  public static String qualified(String owner, Field field) {
    return owner + "." + field.getName();
  }
}
