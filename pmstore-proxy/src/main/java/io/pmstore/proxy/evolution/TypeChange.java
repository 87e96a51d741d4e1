package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.Kind;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.CollectionClasses;

/** Decides what a change of a property's type means for its values. */
final class TypeChange {
  private TypeChange() {}

  /**
   * Compares types.
   *
   * @param from the property as the store has it
   * @param to the property as the class has it
   * @param toType its declared type
   * @return KEPT, RENAMED if the type's class was renamed, CONVERTED, or NEEDS_MIGRATION
   */
  static Kind of(Property from, Property to, Class<?> toType, KnownClasses classes) {
    Kind change = ofClass(from, to, toType, classes);
    if (change == Kind.NEEDS_MIGRATION || from.hasArgumentsOf(to)) {
      return change;
    }
    return switch (ArgumentsChange.of(from.arguments(), to.arguments(), classes)) {
      case KEPT -> change;
      case RENAMED -> change == Kind.KEPT ? Kind.RENAMED : change;
      case Kind other -> other;
    };
  }

  private static Kind ofClass(Property from, Property to, Class<?> toType, KnownClasses classes) {
    if (from.kind() == to.kind() && from.typeName().equals(to.typeName())) {
      return Kind.KEPT;
    }
    if (from.kind().isPrimitive()) {
      return fits(from.kind(), to, toType) ? Kind.CONVERTED : Kind.NEEDS_MIGRATION;
    }
    if (from.kind() != to.kind() && !to.kind().isValue()) {
      return Kind.NEEDS_MIGRATION;
    }
    Class<?> fromType =
        from.typeName().equals(to.typeName()) ? toType : classes.lookUp(from.typeName());
    if (fromType == null || (from.kind() == SlotKind.ENUM && !fromType.isEnum())) {
      return Kind.NEEDS_MIGRATION;
    }
    if (sameClass(fromType, toType) && from.kind() == to.kind()) {
      return Kind.RENAMED;
    }
    if (sameClass(fromType, toType) && from.kind() == SlotKind.REFERENCE && !toType.isInterface()) {
      return Kind.NEEDS_MIGRATION; // the class has become a record: its objects are no values
    }
    return CollectionClasses.storedAs(toType).isAssignableFrom(fromType)
        ? Kind.CONVERTED
        : Kind.NEEDS_MIGRATION;
  }

  private static boolean fits(SlotKind from, Property to, Class<?> toType) {
    if (!to.kind().isValue()) {
      return Primitives.widens(from, to.kind());
    }
    SlotKind boxed = Primitives.boxKind(from, to.typeName());
    return boxed == from
        ? toType.isAssignableFrom(Primitives.box(from))
        : Primitives.widens(from, boxed);
  }

  /**
   * Compares by name, because the class that was found by its old name may come from another class
   * loader.
   */
  private static boolean sameClass(Class<?> one, Class<?> other) {
    return one == other || one.getName().equals(other.getName());
  }
}
