package io.pmstore.enhance.corpus;

import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import io.pmstore.spi.EnhancedObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The instance fields of plain and of enhanced objects. */
final class Fields {
  // The getters of enhanced classes, by their fields.
  private static final ClassValue<Map<String, Method>> GETTERS =
      new ClassValue<>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
          Map<String, Method> getters = new HashMap<>();
          for (Method method : type.getDeclaredMethods()) {
            if (method.getName().startsWith(EnhancedObject.GET)) {
              method.setAccessible(true);
              getters.put(method.getName(), method);
            }
          }
          return getters;
        }
      };

  private Fields() {}

  /** Returns the fields that a store keeps, of superclasses too, in a fixed order. */
  static List<Field> of(Class<?> type, World world) {
    return all(type, world).stream().filter(f -> !Modifier.isTransient(f.getModifiers())).toList();
  }

  private static List<Field> all(Class<?> type, World world) {
    List<Field> found = new ArrayList<>();
    for (Class<?> k = type; k != null && world.isOwn(k); k = k.getSuperclass()) {
      for (Field field : k.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !isAdded(field)) {
          found.add(field);
        }
      }
    }
    return found;
  }

  private static boolean isAdded(Field field) {
    return field.isSynthetic()
        && (field.getName().equals(EnhancedObject.HANDLE)
            || field.getName().equals(EnhancedCollection.ELEMENTS));
  }

  /** Returns true for a collection of the JDK to which a class of the unit adds something. */
  static boolean hasElements(Object object, World world) {
    Class<?> top = object.getClass();
    while (world.isOwn(top)) {
      top = top.getSuperclass();
    }
    return top != object.getClass() && EnhancedElements.superclass(top.getName()) != null;
  }

  /** Returns the value of a field, as enhanced code reads it. */
  static @Nullable Object get(Object object, Field field) {
    try {
      if (object instanceof EnhancedObject) {
        Method getter =
            Objects.requireNonNull(
                GETTERS.get(object.getClass()).get(EnhancedObject.GET + member(field)));
        return getter.invoke(object);
      }
      field.setAccessible(true);
      return field.get(object);
    } catch (InvocationTargetException e) {
      throw Fields.<RuntimeException>unchecked(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(field.toString(), e);
    }
  }

  /** Assigns a field, as enhanced code does. */
  static void set(Object object, Field field, @Nullable Object value) {
    try {
      if (object instanceof EnhancedObject) {
        Method setter =
            object
                .getClass()
                .getDeclaredMethod(EnhancedObject.PUT + member(field), field.getType());
        setter.setAccessible(true);
        Object _ = setter.invoke(object, value);
      } else {
        field.setAccessible(true);
        field.set(object, value);
      }
    } catch (InvocationTargetException e) {
      throw Fields.<RuntimeException>unchecked(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(field.toString(), e);
    }
  }

  private static String member(Field field) {
    return EnhancedObject.member(field.getDeclaringClass().getName(), field.getName());
  }

  /** Makes the transient fields of a plain object what they are when it is read from a store. */
  static void clearTransients(Object object, World world) {
    for (Field field : all(object.getClass(), world)) {
      if (Modifier.isTransient(field.getModifiers())) {
        try {
          field.setAccessible(true);
          Object zero =
              field.getType().isPrimitive()
                  ? java.lang.reflect.Array.get(
                      java.lang.reflect.Array.newInstance(field.getType(), 1), 0)
                  : null;
          field.set(object, zero);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(field.toString(), e);
        }
      }
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // erased
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
