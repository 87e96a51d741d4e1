package io.pmstore.proxy.evolution;

import io.pmstore.FormerNames;
import io.pmstore.Removed;
import io.pmstore.proxy.bean.PropertyNames;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the annotations of a class that describe its past. */
final class Annotated {
  private Annotated() {}

  /**
   * Returns the former names of a class; of an array, the names of arrays of its component class's
   * former names.
   */
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

  /** Returns the former names in the annotation of one element. */
  static Set<String> formerNames(@Nullable AnnotatedElement element) {
    FormerNames names = element == null ? null : element.getAnnotation(FormerNames.class);
    return names == null ? Set.of() : new LinkedHashSet<>(List.of(names.value()));
  }

  /** Returns the former names in annotations of getters, trivial or not, by property. */
  static Map<String, Set<String>> formerNamesOnGetters(Class<?> type) {
    Map<String, Set<String>> names = new HashMap<>();
    for (Class<?> declaring : hierarchy(type)) {
      for (Method method : declaring.getDeclaredMethods()) {
        Set<String> former = formerNames(method);
        String property = PropertyNames.ofGetter(method.getName());
        if (!former.isEmpty() && property != null && method.getParameterCount() == 0) {
          names.computeIfAbsent(property, n -> new LinkedHashSet<>()).addAll(former);
        }
      }
    }
    return names;
  }

  /** Returns the names in the {@code Removed} annotations of a class and its supertypes. */
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
