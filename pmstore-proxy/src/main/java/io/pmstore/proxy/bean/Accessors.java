package io.pmstore.proxy.bean;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The getters and setters of a class, inherited ones included. Each is the method that a call on an
 * object of the class reaches. They follow JavaBeans: {@code getX()} or, for booleans, {@code
 * isX()}, and {@code void setX(value)}.
 */
final class Accessors {
  private final Map<String, List<Method>> getters = new LinkedHashMap<>();
  private final Map<String, List<Method>> setters = new LinkedHashMap<>();
  private final List<Method> otherAbstract = new ArrayList<>();

  Accessors(Class<?> type) {
    for (Method method : methods(type)) {
      String read = propertyRead(method);
      String written = propertyWritten(method);
      if (read != null) {
        add(getters, read, method);
      } else if (written != null) {
        add(setters, written, method);
      } else if (Modifier.isAbstract(method.getModifiers())) {
        otherAbstract.add(method);
      }
    }
  }

  private static void add(Map<String, List<Method>> accessors, String property, Method method) {
    accessors.computeIfAbsent(property, name -> new ArrayList<>(1)).add(method);
  }

  /** Returns the names of all properties that have a getter or a setter. */
  Set<String> names() {
    Set<String> names = new HashSet<>(getters.keySet());
    names.addAll(setters.keySet());
    return names;
  }

  /**
   * Returns the getters of a property. There are several where {@code isX} and {@code getX} are
   * both there, or return types differ.
   */
  List<Method> getters(String property) {
    return getters.getOrDefault(property, List.of());
  }

  /** Returns the setters of a property. They differ in their parameter types. */
  List<Method> setters(String property) {
    return setters.getOrDefault(property, List.of());
  }

  /** Returns the abstract methods that are no accessors. */
  List<Method> otherAbstract() {
    return otherAbstract;
  }

  /** Returns the getter and the setter of a property that fit each other, or null. */
  Method @Nullable [] pair(String property) {
    for (Method getter : getters(property)) {
      for (Method setter : setters(property)) {
        if (setter.getParameterTypes()[0] == getter.getReturnType()) {
          return new Method[] {getter, setter};
        }
      }
    }
    return null;
  }

  /** Returns the property whose getter or setter a method is by its name, or null. */
  @Nullable String propertyOf(Method accessor) {
    String read = propertyRead(accessor);
    String written = propertyWritten(accessor);
    return read != null && getters(read).contains(accessor)
        ? read
        : written != null && setters(written).contains(accessor) ? written : null;
  }

  /** Returns the property whose getter a method is by its name and type, or null. */
  private static @Nullable String propertyRead(Method method) {
    Class<?> result = method.getReturnType();
    boolean isFlag = result == boolean.class || result == Boolean.class;
    boolean fits = method.getName().startsWith("is") ? isFlag : result != void.class;
    return fits && method.getParameterCount() == 0
        ? PropertyNames.ofGetter(method.getName())
        : null;
  }

  /** Returns the property whose setter a method is by its name and type, or null. */
  private static @Nullable String propertyWritten(Method method) {
    return method.getParameterCount() == 1 && method.getReturnType() == void.class
        ? PropertyNames.ofSetter(method.getName())
        : null;
  }

  private static List<Method> methods(Class<?> type) {
    List<Method> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      for (Method method : k.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        if (!method.isSynthetic()
            && !Modifier.isPrivate(modifiers)
            && !Modifier.isStatic(modifiers)
            && seen.add(signature(method))) {
          found.add(method);
        }
      }
    }
    // The methods that an interface inherits, or that a class inherits from its interfaces only.
    Map<String, Method> inherited = new LinkedHashMap<>();
    for (Method method : type.getMethods()) {
      if (method.getDeclaringClass().isInterface()
          && !Modifier.isStatic(method.getModifiers())
          && !method.isSynthetic()
          && !seen.contains(signature(method))) {
        inherited.merge(signature(method), method, Accessors::moreSpecific);
      }
    }
    found.addAll(inherited.values());
    found.sort(Comparator.comparing(Method::getName).thenComparing(Accessors::signature));
    return found;
  }

  private static Method moreSpecific(Method one, Method other) {
    Class<?> of = one.getReturnType();
    Class<?> others = other.getReturnType();
    return of != others && of.isAssignableFrom(others) ? other : one;
  }

  private static String signature(Method method) {
    StringBuilder signature = new StringBuilder(method.getName());
    for (Class<?> parameter : method.getParameterTypes()) {
      signature.append(' ').append(parameter.getName());
    }
    return signature.toString();
  }
}
