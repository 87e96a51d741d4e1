package io.pmstore;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object as it was stored, when its class had other properties: the input of a {@link
 * Migration}. Only the thread that runs the function may use it, and only during the call.
 */
public interface OldObject {
  /**
   * Returns the class that the object was stored as.
   *
   * @return a binary name; the class may no longer exist
   */
  String className();

  /**
   * Returns the properties that the object has.
   *
   * @return their names as they were then
   */
  Set<String> properties();

  /**
   * The value of a property.
   *
   * @param property its name as it was then
   * @return its value, boxed if it is primitive: a persistent object or collection if it refers to
   *     one, the name of the constant if its enum no longer exists; or null
   * @throws IllegalArgumentException if the object has no such property; the message says which it
   *     has
   * @throws ClassRefusedException if it refers to an object of a class that no longer exists
   */
  @Nullable Object get(String property);

  /**
   * The value of a property.
   *
   * @param <V> its type
   * @param property its name as it was then
   * @param type its type as it was then; the box of a primitive one
   * @return its value, or null
   * @throws IllegalArgumentException if the object has no such property, or its value is of another
   *     type
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
