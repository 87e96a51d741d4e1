package io.pmstore.spring.jackson;

import io.pmstore.Persistent;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.AnnotatedMember;

/**
 * Reads and writes a field of persistent objects in the store. A generated class has an accessor
 * for each field that the store keeps; the field of the Java object has no value then.
 */
final class StoredField {
  private final Field field;
  private final ClassValue<Optional<Method>> getters = accessors("get", EnhancedObject.GET);
  private final ClassValue<Optional<Method>> setters = accessors("set", EnhancedObject.PUT);

  private StoredField(Field field) {
    this.field = field;
  }

  /**
   * Returns the field behind a property of a class.
   *
   * @return null if the class is not persistent, or Jackson does not use the field
   */
  static @Nullable StoredField of(Class<?> type, @Nullable AnnotatedMember member) {
    return member instanceof AnnotatedField field && isField(type, member)
        ? new StoredField(field.getAnnotated())
        : null;
  }

  /** Returns true if a member is a field, and the class is one whose objects can be persistent. */
  static boolean isField(Class<?> type, @Nullable AnnotatedMember member) {
    return member instanceof AnnotatedField && type.isAnnotationPresent(Persistent.class);
  }

  private ClassValue<Optional<Method>> accessors(String generated, String enhanced) {
    return new ClassValue<>() {
      @Override
      protected Optional<Method> computeValue(Class<?> type) {
        Class<?> owner = field.getDeclaringClass();
        String name =
            EnhancedObject.class.isAssignableFrom(type)
                ? enhanced + EnhancedObject.member(owner.getName(), field.getName())
                : "pmstore$" + generated + "$" + depth(owner) + "$" + field.getName();
        for (Class<?> k = type; k != null; k = k.getSuperclass()) {
          for (Method method : k.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
              method.setAccessible(true);
              return Optional.of(method);
            }
          }
        }
        return Optional.empty();
      }
    };
  }

  /** Returns the number of superclasses, {@code Object} not counted. */
  private static int depth(Class<?> type) {
    int depth = 0;
    for (Class<?> k = type.getSuperclass(); k != null && k != Object.class; k = k.getSuperclass()) {
      depth++;
    }
    return depth;
  }

  /** Returns true if an object has the value of this field in a store. */
  boolean isKeptBy(Object object) {
    return PersistentObject.isPersistent(object) && getters.get(object.getClass()).isPresent();
  }

  /** Reads the field of an object that keeps it. */
  @Nullable Object get(Object persistent) {
    return call(getters.get(persistent.getClass()).orElseThrow(), persistent);
  }

  /** Writes the field of an object that keeps it. */
  void set(Object persistent, @Nullable Object value) {
    Method setter =
        setters
            .get(persistent.getClass())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "the field %s of a persistent object cannot be assigned from JSON: the"
                                .formatted(field)
                            + " object's class has no code that assigns it; give it a setter"));
    call(setter, persistent, value);
  }

  private static @Nullable Object call(
      Method method, Object persistent, @Nullable Object... arguments) {
    try {
      return method.invoke(persistent, arguments);
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
