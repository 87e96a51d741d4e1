package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.ValueCodec;
import io.pmstore.proxy.bean.PropertyTypes;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects without state that {@code static final} fields hold, such as a strategy that is an
 * anonymous class. The store keeps the names of the class and the field. A reader gets the object
 * that the field holds then.
 */
final class Constants implements ValueCodec<Object> {
  static final String NAME = "pmstore.constant";

  private static final ClassValue<Optional<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected Optional<Field> computeValue(Class<?> type) {
          return canBeOne(type) ? field(type) : Optional.empty();
        }
      };

  private final Function<Class<?>, String> nameOfClass;
  private final Function<String, Class<?>> classOfName;

  /**
   * Takes how the store names classes.
   *
   * @param nameOfClass returns the name by which it keeps a class
   * @param classOfName finds the class of a name
   */
  Constants(Function<Class<?>, String> nameOfClass, Function<String, Class<?>> classOfName) {
    this.nameOfClass = nameOfClass;
    this.classOfName = classOfName;
  }

  /** Returns true for a class that has no state and whose object a constant is. */
  static boolean isOne(Class<?> type) {
    return FIELDS.get(type).isPresent();
  }

  private static boolean canBeOne(Class<?> type) {
    if (type.isHidden()
        || type.isInterface()
        || PropertyTypes.isKeptWithoutCodec(type)
        || Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)) {
      return false;
    }
    for (Class<?> k = type; k != Object.class; k = k.getSuperclass()) {
      boolean isOfJdk = k.getModule() == Object.class.getModule();
      if (isOfJdk || Stream.of(k.getDeclaredFields()).anyMatch(f -> !isStatic(f))) {
        return false;
      }
    }
    return true;
  }

  /** Finds the first constant that holds an object of a class, in it or a class around it. */
  private static Optional<Field> field(Class<?> type) {
    for (Class<?> k = type; k != null; k = k.getEnclosingClass()) {
      for (Field field : k.getDeclaredFields()) {
        if (isStatic(field) && Modifier.isFinal(field.getModifiers()) && field.trySetAccessible()) {
          Object value = value(field);
          if (value != null && value.getClass() == type) {
            return Optional.of(field);
          }
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isStatic(Field field) {
    return Modifier.isStatic(field.getModifiers());
  }

  private static @Nullable Object value(Field field) {
    try {
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " was made accessible, but is not", e);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a reader gets the constant, not an object like it
  public byte[] encode(Object value) {
    Field field = FIELDS.get(value.getClass()).orElseThrow();
    if (value(field) != value) {
      throw new NotPersistableException(
          "an object of class %s is not the one that the constant %s of %s holds, which is what a reader would get; assign the constant, or annotate the class with @Persistent"
              .formatted(
                  value.getClass().getName(),
                  field.getName(),
                  field.getDeclaringClass().getName()));
    }
    return (nameOfClass.apply(field.getDeclaringClass()) + "#" + field.getName()).getBytes(UTF_8);
  }

  @Override
  public Object decode(int version, byte[] bytes) {
    String name = new String(bytes, UTF_8);
    int at = name.indexOf('#');
    Class<?> owner = classOfName.apply(name.substring(0, Math.max(at, 0)));
    for (Field field : owner.getDeclaredFields()) {
      if (field.getName().equals(name.substring(at + 1))
          && isStatic(field)
          && field.trySetAccessible()) {
        Object value = value(field);
        if (value != null) {
          return value;
        }
      }
    }
    throw new ClassRefusedException(
        "the store holds the constant %s of class %s, which has no static field of that name that holds an object and can be read; put it back"
            .formatted(name.substring(at + 1), owner.getName()));
  }
}
