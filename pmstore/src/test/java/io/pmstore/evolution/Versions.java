package io.pmstore.evolution;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.compiled.Compiled;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;

/** One version of a program after the other, on one store. */
final class Versions implements AutoCloseable {
  private static final String HEADER =
      """
      package shop;
      import io.pmstore.*;
      import java.util.*;
      """;

  private final Path directory;
  private PmStoreOptions options = PmStoreOptions.defaults();
  private PmStore store;
  private ClassLoader classes;

  Versions(Path directory) {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  /** Closes the store and opens it with a version of the program. */
  PmStore open(ClassLoader version, PmStoreOptions with) {
    close();
    classes = version;
    options = with;
    return reopen();
  }

  PmStore open(ClassLoader version) {
    return open(version, PmStoreOptions.defaults());
  }

  /** Closes the store and opens it with the same version. */
  PmStore reopen() {
    close();
    store = PmStore.open(directory, options);
    return store;
  }

  PmStore store() {
    PmStore open = store;
    if (open == null) {
      throw new IllegalStateException("no version is open");
    }
    return open;
  }

  static Compiled compile(String source) {
    return Compiled.of(HEADER + source);
  }

  /**
   * The source of a class with accessors.
   *
   * @param head what stands before the brace, without the annotation Persistent
   * @param fields such as {@code @FormerNames("a") int b = 1}
   */
  static String bean(String head, String... fields) {
    StringBuilder source = new StringBuilder("@Persistent " + head + " {\n");
    for (String field : fields) {
      String declaration = field.replaceFirst("^@\\w+\\(.*?\\) ", "").replaceFirst(" =.*", "");
      int space = declaration.lastIndexOf(' ');
      String type = declaration.substring(0, space);
      String name = declaration.substring(space + 1);
      String suffix = Character.toUpperCase(name.charAt(0)) + name.substring(1);
      source.append("  " + field.replaceFirst("^(@\\w+\\(.*?\\) )?", "$1private ") + ";\n");
      source.append("  %s get%s() { return %s; }\n".formatted(type, suffix, name));
      source.append("  void set%s(%s v) { %s = v; }\n".formatted(suffix, type, name));
    }
    return source.append("}\n").toString();
  }

  Class<?> type(String name) {
    ClassLoader from = classes;
    if (from == null) {
      throw new IllegalStateException("no version is open");
    }
    return type(from, name);
  }

  static Class<?> type(ClassLoader version, String name) {
    try {
      return version.loadClass("shop." + name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** The root object of the class Root. */
  Object root() {
    return store().root("root", type("Root"));
  }

  /** A new plain object. */
  Object make(String name, Object... arguments) {
    try {
      var constructor =
          Arrays.stream(type(name).getDeclaredConstructors())
              .filter(c -> c.getParameterCount() == arguments.length)
              .findFirst()
              .orElseThrow();
      constructor.setAccessible(true);
      return constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  Object constant(String enumName, String constant) {
    return Enum.valueOf((Class) type(enumName), constant);
  }

  /** Calls a method of an object. */
  static Object call(Object object, String method, Object... arguments) {
    for (Class<?> of = object.getClass(); of != null; of = of.getSuperclass()) {
      for (Method each : of.getDeclaredMethods()) {
        if (each.getName().equals(method)
            && each.getParameterCount() == arguments.length
            && !each.isBridge()) {
          try {
            each.setAccessible(true);
            return each.invoke(object, arguments);
          } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
              throw cause;
            }
            throw new AssertionError(e);
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    throw new AssertionError(object.getClass() + " has no method " + method);
  }

  @Override
  public void close() {
    PmStore open = store;
    if (open != null) {
      store = null;
      open.close();
    }
  }
}
