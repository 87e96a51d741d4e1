package io.pmstore.proxy.slot;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.Provisional;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A class of values with parts, as one store knows it. Immutable. */
sealed interface EmbeddedType {

  /** Returns the shape of such values, with the store's id. */
  Shape shape();

  /** Returns how long the type stands, if the store lacks the shape or a constant. */
  @Nullable Provisional until();

  default boolean stands() {
    return Provisional.stands(until());
  }

  /**
   * A record.
   *
   * @param constructor the canonical one, which takes an array
   * @param readers for each component, the reader of its field
   * @param enums for each component, the numbers of its constants; null if it is of no enum
   * @param salts for each component, a number that distinguishes it from the others in a hash code
   *     and never changes
   * @param hasLastingHash whether each stored record, as it is read today, surely has the hash code
   *     that it was stored with, if its parts have theirs
   */
  record OfRecord(
      RecordClass record,
      Shape shape,
      MethodHandle constructor,
      List<MethodHandle> readers,
      List<@Nullable EnumNumbers> enums,
      List<Integer> salts,
      boolean hasLastingHash,
      @Nullable Provisional until)
      implements EmbeddedType {

    Property property(int component) {
      return shape.properties().get(record.slots().get(component));
    }
  }

  /** An array of references. A list keeps its elements. */
  record OfArray(Class<?> elementType, Shape shape, @Nullable Provisional until)
      implements EmbeddedType {
    int elementsOffset() {
      return shape.properties().getFirst().offset();
    }
  }
}
