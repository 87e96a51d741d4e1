package io.pmstore.proxy.bean;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The getters and setters of a class, inherited ones included, each the one that a call on an
 * object of the class reaches. They are what JavaBeans says: {@code getX()} or, for booleans,
 * {@code isX()}, and {@code void setX(value)}.
 */
final class Accessors {
  private final Map<String, List<Method>> getters = new LinkedHashMap<>();
  private final Map<String, List<Method>> setters = new LinkedHashMap<>();
  private final List<Method> otherAbstract = new ArrayList<>();

  Accessors(Class<?> type) {
    for (Method method : methods(type)) {
      String name = method.getName();
      if (isGetter(method)) {
        add(getters, name.substring(name.startsWith("is") ? 2 : 3), method);
      } else if (name.length() > 3
          && name.startsWith("set")
          && method.getParameterCount() == 1
          && method.getReturnType() == void.class) {
        add(setters, name.substring(3), method);
      } else if (Modifier.isAbstract(method.getModifiers())) {
        otherAbstract.add(method);
      }
    }
  }

  private static void add(Map<String, List<Method>> accessors, String suffix, Method method) {
    accessors.computeIfAbsent(propertyName(suffix), name -> new ArrayList<>(1)).add(method);
  }

  /** The names of all properties that have a getter or a setter. */
  Set<String> names() {
    Set<String> names = new HashSet<>(getters.keySet());
    names.addAll(setters.keySet());
    return names;
  }

  /**
   * The getters of a property; more than one where {@code isX} and {@code getX} are both there, or
   * return types differ.
   */
  List<Method> getters(String property) {
    return getters.getOrDefault(property, List.of());
  }

  /** The setters of a property; they differ in what they take. */
  List<Method> setters(String property) {
    return setters.getOrDefault(property, List.of());
  }

  /** Abstract methods that are no accessors. */
  List<Method> otherAbstract() {
    return otherAbstract;
  }

  /** The getter and the setter of a property that fit each other, or null. */
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

  /** The property that a method's name makes it the getter or setter of, or null. */
  @Nullable String propertyOf(Method accessor) {
    for (String name : names()) {
      if (getters(name).contains(accessor) || setters(name).contains(accessor)) {
        return name;
      }
    }
    return null;
  }

  private static boolean isGetter(Method method) {
    String name = method.getName();
    Class<?> result = method.getReturnType();
    return method.getParameterCount() == 0
        && ((name.length() > 3 && name.startsWith("get") && result != void.class)
            || (name.length() > 2
                && name.startsWith("is")
                && (result == boolean.class || result == Boolean.class)));
  }

  /** As JavaBeans decapitalizes: unless the first two letters are capitals, as in URL. */
  static String propertyName(String suffix) {
    boolean acronym =
        suffix.length() > 1
            && Character.isUpperCase(suffix.charAt(0))
            && Character.isUpperCase(suffix.charAt(1));
    return acronym ? suffix : suffix.substring(0, 1).toLowerCase(Locale.ROOT) + suffix.substring(1);
  }

  private static List<Method> methods(Class<?> type) {
    List<Method> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      for (Method method : k.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        if (!method.isSynthetic()
            && !Modifier.isPrivate(modifiers)
            && !(type.isInterface() && Modifier.isStatic(modifiers))
            && seen.add(signature(method))) {
          found.add(method);
        }
      }
    }
    // What an interface inherits; and what a class is given by its interfaces, where no class of it
    // says otherwise.
    Method[] inherited = type.getMethods();
    Arrays.sort(inherited, Accessors::mostSpecificFirst);
    for (Method method : inherited) {
      if (method.getDeclaringClass().isInterface()
          && !Modifier.isStatic(method.getModifiers())
          && !method.isSynthetic()
          && seen.add(signature(method))) {
        found.add(method);
      }
    }
    found.sort(Comparator.comparing(Method::getName).thenComparing(Accessors::signature));
    return found;
  }

  private static int mostSpecificFirst(Method a, Method b) {
    Class<?> of = a.getReturnType();
    Class<?> other = b.getReturnType();
    return of == other ? 0 : of.isAssignableFrom(other) ? 1 : other.isAssignableFrom(of) ? -1 : 0;
  }

  private static String signature(Method method) {
    StringBuilder signature = new StringBuilder(method.getName());
    for (Class<?> parameter : method.getParameterTypes()) {
      signature.append(' ').append(parameter.getName());
    }
    return signature.toString();
  }
}
