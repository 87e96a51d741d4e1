package io.pmstore.proxy.convert;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bean.PropertyTypes;
import io.pmstore.proxy.bytecode.ConstantPart;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.proxy.evolution.Source;
import io.pmstore.proxy.identity.ProgramConstants;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The constants of the program in one store, which has at most one twin for each while it is open.
 * Thread-safe.
 */
final class ConstantTwins implements ProgramConstants {
  private final Converter converter;

  ConstantTwins(Converter converter) {
    this.converter = converter;
  }

  @Override
  public @Nullable HeapObject handle(Object constant) {
    // The twin first: only a class that the store keeps is asked what its constants are.
    Twin twin = constant instanceof EnhancedObject ? converter.find(constant) : null;
    return twin != null && typeOf(constant).isConstant(constant) ? twin.handle() : null;
  }

  private PersistentClass typeOf(Object object) {
    return converter.store().schema().bind(object.getClass()).type();
  }

  @Override
  public @Nullable Object equalTo(Binding binding, HeapObject handle) {
    if (!binding.type().hasEqualConstants()) {
      return null;
    }
    List<@Nullable Object> values = values(binding, handle);
    if (values == null) {
      return null;
    }
    values.replaceAll(
        value ->
            value instanceof EnhancedObject part
                    && PersistentObject.handleOf(part) instanceof HeapObject of
                ? comparable(part, of)
                : value);
    return binding.type().constantOf(values);
  }

  /**
   * Returns what a part is compared by: itself, which equals none, if it has no {@link #values}.
   */
  private Object comparable(EnhancedObject part, HeapObject handle) {
    Binding binding = converter.store().schema().bind(part.getClass());
    List<@Nullable Object> values = values(binding, handle);
    return values == null ? part : new ConstantPart(part.getClass(), values);
  }

  /** Returns what today's class sees in its properties; null if one has to be made. */
  private @Nullable List<@Nullable Object> values(Binding binding, HeapObject handle) {
    int shapeId = converter.store().heap().shapeId(handle.address());
    ShapeMapping older =
        handle.isCurrent(shapeId) ? null : converter.store().schema().mappingOf(shapeId);
    List<Property> properties = binding.shape().properties();
    List<@Nullable Object> values = new ArrayList<>(properties.size());
    for (int i = 0; i < properties.size(); i++) {
      if (older != null && mayBeMade(binding.type(), i, older.source(i))) {
        return null;
      }
      values.add(PropertySlots.read(handle, properties.get(i), i));
    }
    return values;
  }

  /** Returns true if reading a property of an older object may have to upgrade the object. */
  private static boolean mayBeMade(PersistentClass type, int property, Source source) {
    return switch (source) {
      case Source.Stored _ -> false;
      case Source.Initial _ ->
          type.canMakePlain() && !isValue(type.properties().get(property).type());
      case Source.Function _ -> true;
    };
  }

  private static boolean isValue(Class<?> declared) {
    return declared.isEnum()
        || (PropertyTypes.isValue(declared)
            && !declared.isRecord()
            && !InPlace.mayChange(declared));
  }
}
