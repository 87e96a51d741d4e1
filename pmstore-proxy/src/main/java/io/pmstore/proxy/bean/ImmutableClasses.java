package io.pmstore.proxy.bean;

import io.pmstore.PmStoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Immutable collection classes of libraries, such as Guava's {@code ImmutableList}: a class whose
 * name begins with {@code Immutable}, and that has a static method {@code copyOf} for a {@code
 * Collection} or {@code Map}. A property of an enhanced class can be declared as one. The store
 * keeps a collection, and a reader gets a copy of the declared class.
 */
public final class ImmutableClasses {
  private static final ClassValue<Optional<Method>> COPY_OF =
      new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
          return Optional.ofNullable(copyOf(type));
        }
      };

  private ImmutableClasses() {}

  private static @Nullable Method copyOf(Class<?> type) {
    boolean isMap = Map.class.isAssignableFrom(type);
    boolean isSorted =
        SortedMap.class.isAssignableFrom(type) || SortedSet.class.isAssignableFrom(type);
    if (!type.getSimpleName().startsWith("Immutable")
        || type.isInterface()
        || isSorted // copyOf has the natural order
        || !(isMap || Collection.class.isAssignableFrom(type))) {
      return null;
    }
    try {
      Method method = type.getMethod("copyOf", isMap ? Map.class : Collection.class);
      return Modifier.isStatic(method.getModifiers())
              && type.isAssignableFrom(method.getReturnType())
              && method.trySetAccessible()
          ? method
          : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /** Returns true if a declared type is one of them. */
  public static boolean contains(Class<?> type) {
    return COPY_OF.get(type).isPresent();
  }

  /** Returns the interface as which the store knows a property of one of them. */
  static Class<?> storedAs(Class<?> type) {
    return Map.class.isAssignableFrom(type)
        ? SequencedMap.class
        : Set.class.isAssignableFrom(type)
            ? SequencedSet.class
            : List.class.isAssignableFrom(type) ? List.class : Collection.class;
  }

  /**
   * Returns an object of one of them that has the elements of a collection or map.
   *
   * @throws PmStoreException if the class refuses them
   */
  public static Object copy(Class<?> type, Object elements) {
    try {
      return COPY_OF.get(type).orElseThrow().invoke(null, elements);
    } catch (InvocationTargetException e) {
      throw new PmStoreException(
          "%s.copyOf throws %s for a collection of the store; declare the property with an interface of java.util"
              .formatted(type.getName(), e.getCause()),
          e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(type + " was made accessible, but is not", e);
    }
  }
}
