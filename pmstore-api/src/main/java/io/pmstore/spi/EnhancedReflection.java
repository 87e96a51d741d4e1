package io.pmstore.spi;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prepares objects for reflection. Enhanced code calls these methods before it passes an object to
 * reflection, because the fields of a persistent object do not have its values. Safe for use by any
 * number of threads.
 */
public final class EnhancedReflection {
  private EnhancedReflection() {}

  /**
   * Returns an object whose fields have its values. Enhanced code calls this method before a
   * library reads fields by reflection, for instance to make JSON.
   *
   * @param object the object, or null
   * @return a plain copy of a persistent object, and of a collection, map or array that has
   *     persistent objects; any other object itself, or null
   */
  public static @Nullable Object readable(@Nullable Object object) {
    ObjectHandle handle = PersistentObject.handleOf(object);
    if (object != null && handle != null) {
      return handle.plainCopy(object);
    }
    return switch (object) {
      case Map<?, ?> map -> map(map);
      case Collection<?> all -> all(all);
      case Object[] array -> array(array);
      case null, default -> object;
    };
  }

  private static Object map(Map<?, ?> map) {
    Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
    boolean isOther = false;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Object key = readable(entry.getKey());
      Object value = readable(entry.getValue());
      isOther |= isOther(key, entry.getKey()) || isOther(value, entry.getValue());
      copy.put(key, value);
    }
    return isOther ? copy : map;
  }

  private static Object array(@Nullable Object[] array) {
    @Nullable Object[] copy = array.clone();
    boolean isOther = false;
    for (int i = 0; i < array.length; i++) {
      copy[i] = readable(array[i]);
      isOther |= isOther(copy[i], array[i]);
    }
    return isOther ? copy : array;
  }

  private static Object all(Collection<?> all) {
    Collection<@Nullable Object> copy =
        all instanceof Set ? new LinkedHashSet<>() : new ArrayList<>();
    boolean isOther = false;
    for (Object element : all) {
      Object readable = readable(element);
      isOther |= isOther(readable, element);
      copy.add(readable);
    }
    return isOther ? copy : all;
  }

  @SuppressWarnings("ReferenceEquality") // a copy may be equal
  private static boolean isOther(@Nullable Object readable, @Nullable Object object) {
    return readable != object;
  }

  /**
   * Throws if an object is persistent. Enhanced code calls this method before it writes a field by
   * reflection.
   *
   * @param object the object, or null
   * @return the object
   * @throws IllegalStateException if the object is persistent, because the store would not get the
   *     value
   */
  public static @Nullable Object writable(@Nullable Object object) {
    if (object != null && PersistentObject.isPersistent(object)) {
      throw new IllegalStateException(
          "a field of a persistent object of class "
              + PersistentObject.classOf(object).getName()
              + " cannot be written by reflection: the store keeps its values elsewhere, so the"
              + " value would be lost; call a method that assigns the field");
    }
    return object;
  }

  /**
   * Throws if a field is persistent. Enhanced code calls this method before it makes a method
   * handle or a {@code VarHandle} of a field.
   *
   * @param field the {@link Field}, or null
   * @return the field
   * @throws IllegalStateException if the field is one of an enhanced class that the store keeps
   */
  public static @Nullable Object unreflected(@Nullable Object field) {
    if (field instanceof Field of && isPersistent(of)) {
      throw new IllegalStateException(
          "no handle can be made for the persistent field "
              + of.getDeclaringClass().getName()
              + "."
              + of.getName()
              + ": the store keeps its values elsewhere, so the handle would use"
              + " another value; use the field itself, or mark it @Transient");
    }
    return field;
  }

  private static boolean isPersistent(Field field) {
    Class<?> owner = field.getDeclaringClass();
    String getter = EnhancedObject.GET + EnhancedObject.member(owner.getName(), field.getName());
    return EnhancedObject.class.isAssignableFrom(owner)
        && Stream.of(owner.getDeclaredMethods()).anyMatch(each -> each.getName().equals(getter));
  }
}
