package io.pmstore.proxy.schema;

import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bytecode.PersistentClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class and its current shape in one store. Immutable.
 *
 * @param type the class
 * @param shape its shape, with the store's id; 0 if the class has changed and the store is open for
 *     reading only
 * @param hasOlder whether the store may have objects of the class with another, older shape
 * @param enums for each property the numbers of its constants; null for those that are not of an
 *     enum
 */
public record Binding(
    PersistentClass type, Shape shape, boolean hasOlder, List<@Nullable EnumNumbers> enums) {

  /**
   * The numbers of an enum property.
   *
   * @param property the property's index
   * @return the numbers of its constants
   */
  public EnumNumbers enumNumbers(int property) {
    EnumNumbers numbers = enums.get(property);
    if (numbers == null) {
      throw new IllegalArgumentException(
          "property "
              + shape.properties().get(property)
              + " of "
              + shape.className()
              + " is not of an enum");
    }
    return numbers;
  }
}
