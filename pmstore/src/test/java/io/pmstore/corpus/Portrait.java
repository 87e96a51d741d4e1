package io.pmstore.corpus;

import io.pmstore.Persistent;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an object shows, plain or persistent: its fields as they are, and what its methods say. */
final class Portrait {
  private static final int DEPTH = 3;

  private final Map<Object, Integer> seen = new IdentityHashMap<>();

  private Portrait() {}

  /** The fields of an object, and those of the objects that it refers to. */
  static Map<String, String> ofFields(Object object) throws ReflectiveOperationException {
    return new Portrait().fields(object, 0);
  }

  /** What the getters return, {@code toString} and {@code hashCode}; or what they throw. */
  static Map<String, String> ofMethods(Object object) throws ReflectiveOperationException {
    Map<String, String> shown = new TreeMap<>();
    List<Method> methods = new ArrayList<>(SampleValues.methods(object.getClass(), "get", 0));
    methods.addAll(SampleValues.methods(object.getClass(), "is", 0));
    methods.addAll(SampleValues.methods(object.getClass(), "toString", 0));
    methods.addAll(SampleValues.methods(object.getClass(), "hashCode", 0));
    for (Method method : methods) {
      if (method.getReturnType() == void.class
          || method.getDeclaringClass() == Object.class
          || hasTransients(object.getClass())) {
        continue;
      }
      String value;
      try {
        value = new Portrait().show(method.invoke(object), 1);
      } catch (InvocationTargetException e) {
        value = "throws " + e.getCause().getClass().getName();
      }
      if (method.getName().equals("toString")) { // may show sets and maps, in any order
        value =
            value
                .replace("$Persistent", "")
                // Without a toString the address is shown, and of a persistent object its ids.
                .replaceAll("(\\[[^\\[\\]]*\\])?@[0-9a-f]+", "@")
                .chars()
                .sorted()
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
      }
      shown.put(method.getName(), value.replaceAll("\\$Persistent\\b", ""));
    }
    return shown;
  }

  /**
   * Returns true if the store does not keep all fields of a class, or of the project's classes that
   * it refers to: its methods may show them.
   */
  private static boolean hasTransients(Class<?> type) {
    return hasTransients(type, new HashSet<>());
  }

  private static boolean hasTransients(Class<?> type, Set<Class<?>> seen) {
    for (Class<?> k = type; k != null && k != Object.class && seen.add(k); k = k.getSuperclass()) {
      for (Field field : k.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && (Modifier.isTransient(field.getModifiers())
                || hasTransients(field.getGenericType(), k.getClassLoader(), seen))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasTransients(Type type, ClassLoader project, Set<Class<?>> seen) {
    return switch (type) {
      case Class<?> k -> k.getClassLoader() == project && hasTransients(k, seen);
      case ParameterizedType list ->
          Stream.of(list.getActualTypeArguments()).anyMatch(t -> hasTransients(t, project, seen));
      default -> false;
    };
  }

  private Map<String, String> fields(Object object, int depth) throws ReflectiveOperationException {
    Map<String, String> shown = new TreeMap<>();
    boolean isPersistent = object instanceof PersistentObject;
    Class<?> type = isPersistent ? object.getClass().getSuperclass() : object.getClass();
    for (Class<?> k = type; k != Object.class; k = k.getSuperclass()) {
      for (Field field : k.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)) {
          shown.put(
              k.getSimpleName() + "." + field.getName(),
              show(isPersistent ? stored(object, k, field) : plain(object, field), depth + 1));
        }
      }
    }
    return shown;
  }

  private static Object plain(Object object, Field field) throws ReflectiveOperationException {
    field.setAccessible(true);
    return field.get(object);
  }

  /** Calls what the generated class has for copied code. */
  private static Object stored(Object object, Class<?> owner, Field field)
      throws ReflectiveOperationException {
    int above = 0;
    for (Class<?> k = owner.getSuperclass(); k != Object.class; k = k.getSuperclass()) {
      above++;
    }
    Method getter = object.getClass().getMethod("pmstore$get$" + above + "$" + field.getName());
    getter.setAccessible(true);
    return getter.invoke(object);
  }

  private String show(Object value, int depth) throws ReflectiveOperationException {
    if (value == null) {
      return "null";
    }
    if (value.getClass().isArray()) {
      List<String> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.add(show(Array.get(value, i), depth));
      }
      return elements.toString();
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, String> entries = new TreeMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        entries.put(show(entry.getKey(), depth), show(entry.getValue(), depth));
      }
      return entries.toString();
    }
    if (value instanceof Collection<?> collection) {
      List<String> elements = new ArrayList<>();
      for (Object element : collection) {
        elements.add(show(element, depth));
      }
      return value instanceof Set
          ? elements.stream().sorted().collect(Collectors.joining(", ", "{", "}"))
          : elements.toString();
    }
    return value.getClass().isAnnotationPresent(Persistent.class)
            || value instanceof PersistentObject
        ? object(value, depth)
        : value.getClass().getName() + ":" + value;
  }

  private String object(Object object, int depth) throws ReflectiveOperationException {
    Integer known = seen.putIfAbsent(object, seen.size());
    return known != null ? "#" + known : depth >= DEPTH ? "..." : fields(object, depth).toString();
  }
}
