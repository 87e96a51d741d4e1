package io.pmstore.proxy.embedded;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.schema.EnumNumbers;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A class of values with parts, as one store knows it. Immutable. */
sealed interface EmbeddedType {

  /** What such a value looks like in the heap, with the store's id. */
  Shape shape();

  /**
   * A record.
   *
   * @param record what is known of it
   * @param shape its shape, with the store's id
   * @param constructor the canonical one, which takes an array
   * @param readers for each component what reads its field
   * @param enums for each component the numbers of its constants; null where it is not of an enum
   * @param salts for each component what tells it from the others in a hash code, for ever
   */
  record OfRecord(
      RecordClass record,
      Shape shape,
      MethodHandle constructor,
      List<MethodHandle> readers,
      List<@Nullable EnumNumbers> enums,
      List<Integer> salts)
      implements EmbeddedType {

    Property property(int component) {
      return shape.properties().get(record.slots().get(component));
    }

    EnumNumbers enumNumbers(int component) {
      EnumNumbers numbers = enums.get(component);
      if (numbers == null) {
        throw new IllegalArgumentException(property(component) + " is not of an enum");
      }
      return numbers;
    }
  }

  /**
   * An array of references. Its elements are kept as a list's are.
   *
   * @param elementType what it is an array of
   * @param shape its shape, with the store's id
   */
  record OfArray(Class<?> elementType, Shape shape) implements EmbeddedType {
    int elementsOffset() {
      return shape.properties().getFirst().offset();
    }
  }
}
