package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.proxy.bean.ConstantFields;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds comparators by the names of the {@code static final} fields that hold them: a lambda or a
 * method reference has no other name by which another run could find it. Thread-safe.
 *
 * <p>A name is that of a class, {@code #}, and that of a field that the class declares. The search
 * covers the classes that the store knows, their superclasses, interfaces, enclosing classes and
 * member classes.
 */
final class NamedComparators {
  private final ClassFinder classes;
  private final Map<Comparator<?>, String> names =
      Collections.synchronizedMap(new IdentityHashMap<>());

  NamedComparators(ClassFinder classes) {
    this.classes = classes;
  }

  /**
   * Returns the name of a comparator, the first one in alphabetical order if it has several; null
   * if it has none.
   */
  @Nullable String nameOf(Comparator<?> comparator) {
    String known = names.get(comparator);
    if (known != null) {
      return known;
    }
    String found = search(comparator);
    if (found != null) {
      names.put(comparator, found);
    }
    return found;
  }

  @SuppressWarnings("ReferenceEquality") // a field with an equal comparator does not count
  private @Nullable String search(Comparator<?> comparator) {
    Set<Class<?>> candidates = new HashSet<>();
    classes.learnt().forEach(type -> addAround(type, candidates));
    TreeMap<String, Class<?>> byName = new TreeMap<>();
    candidates.forEach(type -> byName.put(type.getName(), type));
    for (Class<?> type : byName.values()) {
      String field =
          ConstantFields.holding(type, comparator.getClass(), held -> held == comparator);
      if (field != null) {
        return type.getName() + "#" + field;
      }
    }
    return null;
  }

  /** Adds a class, its supertypes, its enclosing classes and its member classes. */
  private static void addAround(@Nullable Class<?> type, Set<Class<?>> candidates) {
    if (type == null || type.getModule() == Object.class.getModule() || !candidates.add(type)) {
      return;
    }
    addAround(type.getSuperclass(), candidates);
    addAround(type.getEnclosingClass(), candidates);
    List.of(type.getInterfaces()).forEach(each -> addAround(each, candidates));
    List.of(type.getDeclaredClasses()).forEach(each -> addAround(each, candidates));
  }

  /**
   * Returns the comparator of a name.
   *
   * @throws ClassRefusedException if there is none
   */
  Comparator<?> find(String name) {
    int at = name.indexOf('#');
    Class<?> type = classes.find(name.substring(0, at));
    String wanted = name.substring(at + 1);
    if (ConstantFields.value(type, wanted) instanceof Comparator<?> comparator) {
      return comparator;
    }
    throw new ClassRefusedException(
        "a sorted collection of the store has the order of the comparator %s of class %s, which has no static final field of that name that holds a comparator and can be read; put it back, with the same order"
            .formatted(wanted, type.getName()));
  }
}
