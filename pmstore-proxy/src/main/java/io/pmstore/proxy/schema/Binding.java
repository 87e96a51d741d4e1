package io.pmstore.proxy.schema;

import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bytecode.PersistentClass;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A class and its current shape in one store. Thread-safe.
 *
 * @param shape its shape, with the store's id; 0 if the class has changed and the store is
 *     read-only
 * @param hasOlder true if the store may have objects of the class with an older shape
 * @param enums for each property, the numbers of its constants; null if it is of no enum
 * @param initial the initial state of all new objects; null before the first object, and if the
 *     constructor may make different objects
 * @param until how long the binding is valid, if the store lacks the shape or a constant; null if
 *     it is valid for ever
 */
public record Binding(
    PersistentClass type,
    Shape shape,
    boolean hasOlder,
    List<@Nullable EnumNumbers> enums,
    AtomicReference<@Nullable InitialState> initial,
    @Nullable Provisional until) {

  boolean stands() {
    return Provisional.stands(until);
  }

  /** Returns the numbers of the constants of an enum property. */
  public EnumNumbers enumNumbers(int property) {
    EnumNumbers numbers = enums.get(property);
    if (numbers == null) {
      throw new IllegalArgumentException(
          "property %s of %s is not of an enum"
              .formatted(shape.properties().get(property), shape.className()));
    }
    return numbers;
  }
}
