package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Examines the type arguments of properties. Refuses a type by which a set, an {@code Optional}, an
 * entry, a persistent object or an array holds objects of a collection class, because such objects
 * are read back as their interface. Lists, queues and maps of a property can hold them ({@link
 * ElementClasses}). Writes type arguments as the catalogue has them.
 */
final class TypeArguments {
  private TypeArguments() {}

  /** Checks the generic type of a property. */
  static void check(Refusal refusal, String name, Type declared) {
    check(refusal, name, declared, declared, true);
  }

  /** Checks the generic type of a component of a record. */
  static void checkComponent(Refusal refusal, String name, Type declared) {
    check(refusal, name, declared, declared, false);
  }

  private static void check(
      Refusal refusal, String name, Type declared, Type at, boolean isOfProperty) {
    switch (at) {
      case ParameterizedType type -> {
        boolean holds = type.getRawType() instanceof Class<?> raw && holdsObjects(raw);
        Type element = isOfProperty ? ElementClasses.element(type) : null;
        for (Type argument : type.getActualTypeArguments()) {
          Class<?> its = ElementClasses.raw(argument);
          boolean isElement = argument.equals(element);
          if (holds
              && its != null
              && isClassOfCollections(its)
              && !(isElement && ElementClasses.canBeShown(its))) {
            refusal.report(
                "property %s is of type %s, but what it holds is handed out as %s, not as %s"
                    .formatted(name, declared.getTypeName(), inPlaceOf(its), its.getName()),
                "declare it with %s in place of %s".formatted(inPlaceOf(its), its.getName())
                    + Substitutes.orEnhance(its));
          }
          check(refusal, name, declared, argument, isElement);
        }
      }
      case GenericArrayType type ->
          check(refusal, name, declared, type.getGenericComponentType(), false);
      case WildcardType type ->
          check(refusal, name, declared, type.getUpperBounds()[0], isOfProperty);
      default -> {}
    }
  }

  /** Warns of classes in a type that says that a collection holds what no store can keep. */
  static void warn(Refusal refusal, String name, Type declared, Predicate<Class<?>> hasCodec) {
    switch (declared) {
      case ParameterizedType type -> {
        boolean holds =
            type.getRawType() instanceof Class<?> raw
                && holdsObjects(raw)
                && !raw.isAnnotationPresent(Persistent.class); // what its fields have counts
        for (Type argument : type.getActualTypeArguments()) {
          Class<?> its = ElementClasses.raw(argument);
          if (holds && its != null && !canBeKept(its, hasCodec)) {
            refusal.warn(
                "property %s may hold objects of %s, which is neither a value type nor annotated with @Persistent; %s"
                    .formatted(name, its.getTypeName(), Substitutes.ofElement(its)));
          }
          warn(refusal, name, argument, hasCodec);
        }
      }
      case GenericArrayType type -> warn(refusal, name, type.getGenericComponentType(), hasCodec);
      case WildcardType type -> warn(refusal, name, type.getUpperBounds()[0], hasCodec);
      default -> {}
    }
  }

  /**
   * Returns the type arguments of a type, for the catalogue: those of types that hold what they
   * name. Wildcards and type variables are their bounds.
   */
  static String stored(Type declared) {
    if (!(declared instanceof ParameterizedType type)
        || !(type.getRawType() instanceof Class<?> raw)
        || !(holdsObjects(raw) || raw.isRecord())) {
      return "";
    }
    return Arrays.stream(type.getActualTypeArguments())
        .map(argument -> storedArgument(argument) + stored(bound(argument)))
        .collect(Collectors.joining(",", "<", ">"));
  }

  private static String storedArgument(Type argument) {
    return switch (bound(argument)) {
      case Class<?> type -> type.getTypeName();
      case ParameterizedType type -> type.getRawType().getTypeName();
      case GenericArrayType type -> storedArgument(type.getGenericComponentType()) + "[]";
      case TypeVariable<?> variable -> storedArgument(variable.getBounds()[0]);
      default -> throw new IllegalArgumentException("a type of another kind: " + argument);
    };
  }

  private static Type bound(Type argument) {
    return argument instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : argument;
  }

  private static boolean canBeKept(Class<?> type, Predicate<Class<?>> hasCodec) {
    int modifiers = type.getModifiers(); // an array is abstract and final
    boolean isExtended =
        Modifier.isAbstract(modifiers) && !Modifier.isFinal(modifiers) && !type.isInterface();
    if (isExtended || isOfCollections(type)) {
      return true; // by persistent classes, at times
    }
    Set<String> faults = new HashSet<>();
    PropertyTypes.check(new Refusal(type, faults), "", type, hasCodec);
    return faults.isEmpty();
  }

  private static boolean holdsObjects(Class<?> type) {
    return isOfCollections(type)
        || type == Optional.class
        || type == Map.Entry.class
        || RecordClass.isEntry(type)
        || type.isAnnotationPresent(Persistent.class);
  }

  private static boolean isOfCollections(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  private static boolean isClassOfCollections(Class<?> type) {
    boolean isExtended = Modifier.isAbstract(type.getModifiers()); // by persistent ones, at times
    return isOfCollections(type)
        && !type.isAnnotationPresent(Persistent.class)
        && (!isExtended || ImmutableClasses.contains(type));
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
