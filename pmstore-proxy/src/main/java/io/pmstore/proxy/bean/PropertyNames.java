package io.pmstore.proxy.bean;

import org.jspecify.annotations.Nullable;

/** What JavaBeans calls the property of an accessor, by the accessor's name alone. */
public final class PropertyNames {
  private PropertyNames() {}

  /**
   * The property that a getter of a name returns.
   *
   * @param method the name of a method without parameters
   * @return the property's name, or null if the method's name is not that of a getter
   */
  public static @Nullable String ofGetter(String method) {
    String name = behind("get", method);
    return name == null ? behind("is", method) : name;
  }

  /** The property that a setter of a name assigns, or null if the name is not that of a setter. */
  static @Nullable String ofSetter(String method) {
    return behind("set", method);
  }

  private static @Nullable String behind(String prefix, String method) {
    return method.length() > prefix.length() && method.startsWith(prefix)
        ? decapitalized(method.substring(prefix.length()))
        : null;
  }

  /** As {@code java.beans.Introspector} does it: unless the first two letters are capitals. */
  private static String decapitalized(String name) {
    boolean isAcronym =
        name.length() > 1
            && Character.isUpperCase(name.charAt(0))
            && Character.isUpperCase(name.charAt(1));
    return isAcronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}
