package io.pmstore.proxy.facade;

import io.pmstore.proxy.bean.CollectionClasses;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/** Finds the methods that a facade overrides, and what implements them. */
final class Methods {
  /** The methods of {@code Properties} that read a plain copy. */
  private static final Set<String> OF_COPY =
      Set.of("list", "propertyNames", "save", "store", "storeToXML");

  /** The methods of copy-on-write collections that read a snapshot, and so cannot change them. */
  private static final Set<String> OF_SNAPSHOT =
      Set.of("iterator", "listIterator", "forEach", "spliterator", "stream", "parallelStream");

  private Methods() {}

  /**
   * Returns the methods that a subclass of a JDK collection class can override: its public and
   * protected methods, including those of superclasses and the default methods of interfaces; of
   * {@code Object} only the public ones.
   */
  static Collection<Method> overridable(Class<?> type) {
    Map<List<Object>, Method> bySignature = new LinkedHashMap<>();
    for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        if ((Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))
            && !method.isBridge()) {
          bySignature.putIfAbsent(signature(method), method);
        }
      }
    }
    for (Method method : type.getMethods()) { // adds those of interfaces and Object
      if (!method.isBridge()) {
        bySignature.putIfAbsent(signature(method), method);
      }
    }
    List<Method> overridable = new ArrayList<>(bySignature.values());
    overridable.removeIf(
        method -> (method.getModifiers() & (Modifier.FINAL | Modifier.STATIC)) != 0);
    return overridable;
  }

  private static List<Object> signature(Method method) {
    return List.of(method.getName(), Arrays.asList(method.getParameterTypes()));
  }

  /** Returns the static method in {@link Extras} that implements a method of a class, or null. */
  static @Nullable Method extra(Class<?> type, Method method) {
    Class<?>[] wanted = method.getParameterTypes();
    for (Class<?> extras : Extras.of(type)) {
      for (Method candidate : extras.getDeclaredMethods()) {
        Class<?>[] parameters = candidate.getParameterTypes();
        if (candidate.getName().equals(method.getName())
            && !candidate.isSynthetic()
            && !Modifier.isPrivate(candidate.getModifiers())
            && Arrays.equals(parameters, 1, parameters.length, wanted, 0, wanted.length)) {
          return candidate;
        }
      }
    }
    return null;
  }

  /**
   * Returns the static method in {@link Extras} that makes the copy on which a method of a class
   * runs, or null: a plain object of the class, or a list.
   */
  static @Nullable Method copier(Class<?> type, Method method) {
    if (type == Properties.class && OF_COPY.contains(method.getName())) {
      return ofExtras("plainCopy");
    }
    boolean isCopyOnWrite = type == CopyOnWriteArrayList.class || type == CopyOnWriteArraySet.class;
    return isCopyOnWrite && OF_SNAPSHOT.contains(method.getName()) ? ofExtras("state") : null;
  }

  /** Returns the only method in {@link Extras} that has a name. */
  static Method ofExtras(String name) {
    return Arrays.stream(Extras.class.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the method in the interface of the stored collection, or null. */
  static @Nullable Method ofInterface(Class<?> type, Method method) {
    try {
      return CollectionClasses.storedAs(type)
          .getMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
