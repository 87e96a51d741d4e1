package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;

/** The source of a property of today's class in an object of an older shape. Immutable. */
public sealed interface Source {

  /** Returns the property of the current shape that the value is for. */
  Property to();

  /**
   * The value of a property of the older shape. If both kinds are the same, so are the bits. If
   * both are primitive, the value is widened without loss. If only the target is a cell, the
   * primitive, object or constant is put into a cell.
   *
   * @param boxAs if {@code from} is primitive and {@code to} a cell: the primitive kind to widen to
   *     before boxing; otherwise the kind of {@code from}
   */
  record Stored(Property to, Property from, SlotKind boxAs) implements Source {}

  /** The initial value: the property was added later. */
  record Initial(Property to) implements Source {}

  /** The result of a migration function for the old object. */
  record Function(Property to) implements Source {}
}
