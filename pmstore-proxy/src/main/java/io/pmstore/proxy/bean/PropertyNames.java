package io.pmstore.proxy.bean;

import org.jspecify.annotations.Nullable;

/** The JavaBeans names of properties, by the names of their accessors. */
public final class PropertyNames {
  private PropertyNames() {}

  /** Returns the property of a getter by its name, or null if that is not the name of a getter. */
  public static @Nullable String ofGetter(String method) {
    String name = behind("get", method);
    return name == null ? behind("is", method) : name;
  }

  /** Returns the property of a setter by its name, or null if that is not the name of a setter. */
  static @Nullable String ofSetter(String method) {
    return behind("set", method);
  }

  private static @Nullable String behind(String prefix, String method) {
    return method.length() > prefix.length() && method.startsWith(prefix)
        ? decapitalized(method.substring(prefix.length()))
        : null;
  }

  /**
   * Decapitalizes a name as {@code java.beans.Introspector} does: unless its first two letters are
   * capitals.
   */
  private static String decapitalized(String name) {
    boolean isAcronym =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return isAcronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}
