package io.pmstore;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object as it was stored, when its class had other properties: the input of a {@link
 * Migration}. Only the thread that runs the migration function may use it, and only during the
 * call.
 */
public interface OldObject {
  /**
   * Returns the name of the class as which the object was stored.
   *
   * @return a binary name; the class may no longer exist
   */
  String className();

  /**
   * Returns the names of the properties that the object has.
   *
   * @return the names at the time when the object was stored
   */
  Set<String> properties();

  /**
   * Returns the value of a property. A primitive value is boxed. A property that refers to a
   * persistent object or collection has that as its value. If the enum of a constant no longer
   * exists, the value is the name of the constant.
   *
   * @param property the name of the property when the object was stored
   * @return its value, or null
   * @throws IllegalArgumentException if the object has no such property; the message lists those
   *     that it has
   * @throws ClassRefusedException if the property refers to an object of a class that no longer
   *     exists
   */
  @Nullable Object get(String property);

  /**
   * Returns the value of a property of a given type.
   *
   * @param <V> the type of the property
   * @param property the name of the property when the object was stored
   * @param type the type of the property when the object was stored; for a primitive type its box
   * @return its value, or null
   * @throws IllegalArgumentException if the object has no such property, or its value is of another
   *     type
   * @throws ClassRefusedException if the property refers to an object of a class that no longer
   *     exists
   */
  default <V> @Nullable V get(String property, Class<V> type) {
    Object value = get(property);
    if (value != null && !type.isInstance(value)) {
      throw new IllegalArgumentException(
          "%s.%s was stored as a %s, not as a %s; ask for the type that it had then"
              .formatted(className(), property, value.getClass().getName(), type.getName()));
    }
    return type.cast(value);
  }
}
