package io.pmstore.proxy.bytecode;

import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The property of an enhanced class that extends a collection class of the JDK. A plain object has
 * its value not in the field but in the fields of the JDK's class.
 */
final class Elements {
  static final MethodHandle READER;
  static final MethodHandle WRITER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodType reader = MethodType.methodType(Object.class, EnhancedCollection.class);
      READER = lookup.findStatic(Elements.class, "read", reader);
      MethodType writer = MethodType.methodType(void.class, EnhancedCollection.class, Object.class);
      WRITER = lookup.findStatic(Elements.class, "write", writer);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("methods of " + Elements.class + " are missing", e);
    }
  }

  private Elements() {}

  /** Returns true for the field of that property. */
  static boolean isIn(Field field) {
    Class<?> owner = field.getDeclaringClass();
    return field.getName().equals(EnhancedCollection.ELEMENTS)
        && EnhancedCollection.class.isAssignableFrom(owner)
        && EnhancedElements.superclass(owner.getSuperclass().getName()) != null;
  }

  /**
   * Returns what makes plain objects without running constructors of the program: an object that
   * extends a collection class of the JDK has no elements.
   */
  static Blank blank(Class<?> type) throws ReflectiveOperationException {
    if (!EnhancedCollection.class.isAssignableFrom(type)) {
      return Blank.of(type);
    }
    return Blank.afterSuperclass(type, superclass(type));
  }

  /** Returns the collection class of the JDK that a class extends. */
  private static Class<?> superclass(Class<?> type) {
    Class<?> above = type;
    while (EnhancedCollection.class.isAssignableFrom(above)) {
      above = above.getSuperclass();
    }
    return above;
  }

  /** Copies the elements that a plain object has, or had before it became persistent. */
  @SuppressWarnings("unchecked") // the copy is new, and of the same class
  static Object read(EnhancedCollection from) throws ReflectiveOperationException {
    Class<?> type = superclass(from.getClass());
    Comparator<?> comparator = from.pmstoreSuperComparator();
    Object to =
        comparator == null
            ? type.getConstructor().newInstance()
            : type.getConstructor(Comparator.class).newInstance(comparator);
    Iterator<?> elements = from.pmstoreSuperIterator();
    while (elements.hasNext()) {
      Object next = elements.next();
      if (to instanceof Map<?, ?> map) {
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) Objects.requireNonNull(next);
        ((Map<@Nullable Object, @Nullable Object>) map).put(entry.getKey(), entry.getValue());
      } else {
        ((Collection<@Nullable Object>) to).add(next);
      }
    }
    return to;
  }

  /**
   * Replaces the elements that a plain object has; null leaves none.
   *
   * @throws IllegalArgumentException if they are sorted by another comparator than the object
   */
  static void write(EnhancedCollection to, @Nullable Object elements) {
    Comparator<?> comparator =
        switch (elements) {
          case SortedMap<?, ?> map -> map.comparator();
          case SortedSet<?> set -> set.comparator();
          case null, default -> null;
        };
    if (comparator != null && !comparator.equals(to.pmstoreSuperComparator())) {
      throw new IllegalArgumentException(
          "a plain copy of an object of class %s would have the natural order, since no constructor of the class runs; leave such objects out by the predicate of PmStore.copy"
              .formatted(to.getClass().getName()));
    }
    to.pmstoreSuperClear();
    if (elements instanceof Map<?, ?> map) {
      map.forEach(to::pmstoreSuperAdd);
    } else if (elements instanceof Collection<?> all) {
      all.forEach(element -> to.pmstoreSuperAdd(element, null));
    }
  }
}
