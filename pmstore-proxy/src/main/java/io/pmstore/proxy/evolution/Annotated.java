package io.pmstore.proxy.evolution;

import io.pmstore.FormerNames;
import io.pmstore.Removed;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the annotations of a class say about its past. */
final class Annotated {
  private Annotated() {}

  /** The former names of a class. Those of an array are the arrays of its components' classes. */
  static Set<String> formerNames(Class<?> type) {
    if (!type.isArray()) {
      return formerNames((AnnotatedElement) type);
    }
    Set<String> names = new LinkedHashSet<>();
    Class<?> component = type.getComponentType();
    for (String name : formerNames(component)) {
      names.add(component.isArray() ? "[" + name : "[L" + name + ";");
    }
    return names;
  }

  /** The former names that stand on one element. */
  static Set<String> formerNames(@Nullable AnnotatedElement element) {
    FormerNames names = element == null ? null : element.getAnnotation(FormerNames.class);
    return names == null ? Set.of() : new LinkedHashSet<>(List.of(names.value()));
  }

  /** The former names that stand on the getters of a property, trivial ones or not. */
  static Set<String> formerNames(Class<?> type, String property) {
    String suffix = property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    Set<String> getters = Set.of("get" + suffix, "is" + suffix, "get" + property, "is" + property);
    Set<String> names = new LinkedHashSet<>();
    for (Class<?> declaring : hierarchy(type)) {
      for (Method method : declaring.getDeclaredMethods()) {
        if (method.getParameterCount() == 0 && getters.contains(method.getName())) {
          names.addAll(formerNames(method));
        }
      }
    }
    return names;
  }

  /** What was removed from a class, or from what it inherits from. */
  static Set<String> removed(Class<?> type) {
    Set<String> names = new LinkedHashSet<>();
    for (Class<?> declaring : hierarchy(type)) {
      Removed removed = declaring.getAnnotation(Removed.class);
      if (removed != null) {
        names.addAll(List.of(removed.value()));
      }
    }
    return names;
  }

  private static List<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      addWithInterfaces(k, all);
    }
    return new ArrayList<>(all);
  }

  private static void addWithInterfaces(Class<?> type, Set<Class<?>> all) {
    if (all.add(type)) {
      for (Class<?> implemented : type.getInterfaces()) {
        addWithInterfaces(implemented, all);
      }
    }
  }
}
