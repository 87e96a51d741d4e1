package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;

/** Where a property of today's class has its value in an object of an older shape. Immutable. */
public sealed interface Source {

  /**
   * The property that the value is for.
   *
   * @return a property of the current shape
   */
  Property to();

  /**
   * The value of a property of the older shape. If the kinds are the same, so are the bits. If both
   * are primitive, the value is widened without loss. If only the target is a cell, the primitive,
   * object or constant is put into one.
   *
   * @param to the property that the value is for
   * @param from the property of the older shape
   * @param boxAs if {@code from} is primitive and {@code to} a cell: the primitive kind in whose
   *     box the value is, after widening to it; otherwise the kind of {@code from}
   */
  record Stored(Property to, Property from, SlotKind boxAs) implements Source {}

  /**
   * No value: the property was added later, and has its initial value.
   *
   * @param to the property that the value is for
   */
  record Initial(Property to) implements Source {}

  /**
   * What a migration function makes of the old object.
   *
   * @param to the property that the value is for
   */
  record Function(Property to) implements Source {}
}
