package io.pmstore.proxy.bean;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The {@code static final} fields of classes, and what they hold. */
public final class ConstantFields {
  private ConstantFields() {}

  /**
   * Returns the name of the field of a class that holds an object, the first one in alphabetical
   * order; null if there is none, or it is not accessible.
   *
   * @param held the class of the object
   * @param isObject returns true for the object
   */
  public static @Nullable String holding(
      Class<?> owner, Class<?> held, Predicate<Object> isObject) {
    for (Field field : of(owner, held)) {
      Object value = value(field);
      if (value != null && isObject.test(value)) {
        return field.getName();
      }
    }
    return null;
  }

  /** Returns the fields of a class that can hold an object of another, in alphabetical order. */
  public static List<Field> of(Class<?> owner, Class<?> held) {
    return Stream.of(owner.getDeclaredFields())
        .filter(field -> isConstant(field) && field.getType().isAssignableFrom(held))
        .sorted(Comparator.comparing(Field::getName))
        .toList();
  }

  /** Returns what the field of a name holds; null if there is none, or it is not accessible. */
  public static @Nullable Object value(Class<?> owner, String name) {
    for (Field field : owner.getDeclaredFields()) {
      if (field.getName().equals(name) && isConstant(field)) {
        return value(field);
      }
    }
    return null;
  }

  private static boolean isConstant(Field field) {
    return Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
  }

  /** Returns what a field holds; null if it holds nothing yet, or is not accessible. */
  public static @Nullable Object value(Field field) {
    if (!field.trySetAccessible()) {
      return null;
    }
    try {
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " was made accessible, but is not", e);
    }
  }
}
