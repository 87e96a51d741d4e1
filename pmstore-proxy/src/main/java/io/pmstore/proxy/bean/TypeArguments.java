package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses properties whose type says that a collection, an {@code Optional} or a persistent object
 * holds objects of a class of collections: these come back as their interface, since only a
 * property itself knows how it is declared.
 */
final class TypeArguments {
  private TypeArguments() {}

  /** Checks a property's generic type. */
  static void check(Refusal refusal, String name, Type declared) {
    check(refusal, name, declared, declared);
  }

  private static void check(Refusal refusal, String name, Type declared, Type at) {
    switch (at) {
      case ParameterizedType type -> {
        boolean holds = type.getRawType() instanceof Class<?> raw && holdsObjects(raw);
        for (Type argument : type.getActualTypeArguments()) {
          Class<?> its = raw(argument);
          if (holds && its != null && isClassOfCollections(its)) {
            refusal.report(
                "property %s is of type %s, but what it holds is handed out as %s, not as %s"
                    .formatted(name, declared.getTypeName(), inPlaceOf(its), its.getName()),
                "declare it with %s in place of %s".formatted(inPlaceOf(its), its.getName())
                    + Substitutes.orEnhance(its));
          }
          check(refusal, name, declared, argument);
        }
      }
      case GenericArrayType type -> check(refusal, name, declared, type.getGenericComponentType());
      case WildcardType type -> check(refusal, name, declared, type.getUpperBounds()[0]);
      default -> {}
    }
  }

  private static @Nullable Class<?> raw(Type argument) {
    return switch (argument) {
      case Class<?> type -> type;
      case ParameterizedType type -> raw(type.getRawType());
      case WildcardType type -> raw(type.getUpperBounds()[0]);
      default -> null;
    };
  }

  private static boolean holdsObjects(Class<?> type) {
    return isOfCollections(type)
        || type == Optional.class
        || type.isAnnotationPresent(Persistent.class);
  }

  private static boolean isOfCollections(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  private static boolean isClassOfCollections(Class<?> type) {
    return isOfCollections(type)
        && !type.isAnnotationPresent(Persistent.class)
        && !Modifier.isAbstract(type.getModifiers()); // persistent lists are AbstractLists
  }

  private static String inPlaceOf(Class<?> type) {
    Class<?> stored = CollectionClasses.storedAs(type);
    if (stored == type) {
      stored =
          Map.class.isAssignableFrom(type)
              ? Map.class
              : Set.class.isAssignableFrom(type)
                  ? Set.class
                  : List.class.isAssignableFrom(type) ? List.class : Collection.class;
    }
    return stored.getName();
  }
}
