package io.pmstore.proxy.schema;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The {@code static final} fields of classes, by whose names stores keep what they hold. */
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
    TreeMap<String, Field> fields = new TreeMap<>();
    for (Field field : owner.getDeclaredFields()) {
      if (isConstant(field) && field.getType().isAssignableFrom(held)) {
        fields.put(field.getName(), field);
      }
    }
    for (Map.Entry<String, Field> field : fields.entrySet()) {
      Object value = value(field.getValue());
      if (value != null && isObject.test(value)) {
        return field.getKey();
      }
    }
    return null;
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

  private static @Nullable Object value(Field field) {
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
