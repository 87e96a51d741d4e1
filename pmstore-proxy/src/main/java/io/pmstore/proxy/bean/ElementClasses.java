package io.pmstore.proxy.bean;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes of collections that the type of a property names for what its collection holds, such
 * as {@code ArrayList} in {@code Map<String, ArrayList<Order>>}. The store keeps a list there; the
 * reader gets an {@code ArrayList}.
 *
 * @param shown the class of the elements of a list or queue, or of the values of a map; null if
 *     they are handed out as they are stored
 * @param within the same for what those elements hold; null if nothing there is shown as another
 *     class
 */
public record ElementClasses(@Nullable Class<?> shown, @Nullable ElementClasses within) {

  /** Returns what a generic type names; null if it names no such class. */
  static @Nullable ElementClasses of(Type declared) {
    Type argument = element(declared);
    if (argument == null) {
      return null;
    }
    Class<?> type = raw(argument);
    Class<?> shown = type != null && canBeShown(type) ? type : null;
    ElementClasses within = of(argument);
    return shown == null && within == null ? null : new ElementClasses(shown, within);
  }

  /**
   * Returns the type of the elements of a list or queue, or of the values of a map; null if a type
   * is none of these or names no such type.
   */
  static @Nullable Type element(Type declared) {
    if (declared instanceof WildcardType wildcard) {
      return element(wildcard.getUpperBounds()[0]);
    }
    if (!(declared instanceof ParameterizedType type)
        || !(type.getRawType() instanceof Class<?> raw)) {
      return null;
    }
    Type[] arguments = type.getActualTypeArguments();
    boolean isMap = Map.class.isAssignableFrom(raw) && arguments.length == 2;
    boolean isList =
        Collection.class.isAssignableFrom(raw)
            && !Set.class.isAssignableFrom(raw) // no collection is an element of a set
            && arguments.length == 1;
    return isMap || isList ? arguments[arguments.length - 1] : null;
  }

  /** Returns true if a stored collection can be shown as an object of a class. */
  static boolean canBeShown(Class<?> type) {
    return CollectionClasses.contains(type) || ImmutableClasses.contains(type);
  }

  /** Returns the class that a type argument names, without its own arguments; null for others. */
  static @Nullable Class<?> raw(Type argument) {
    return switch (argument) {
      case Class<?> type -> type;
      case ParameterizedType type -> raw(type.getRawType());
      case WildcardType type -> raw(type.getUpperBounds()[0]);
      default -> null;
    };
  }
}
