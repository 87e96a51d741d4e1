package io.pmstore.proxy.convert;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bytecode.ConstantPart;
import io.pmstore.proxy.bytecode.PersistentClass;
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
    values.replaceAll(
        value ->
            value instanceof EnhancedObject part
                    && PersistentObject.handleOf(part) instanceof HeapObject of
                ? comparable(part, of)
                : value);
    return binding.type().constantOf(values);
  }

  /** Returns what a part is compared by: itself, which equals none, if it has an older shape. */
  private Object comparable(EnhancedObject part, HeapObject handle) {
    if (!handle.isCurrent(converter.store().heap().shapeId(handle.address()))) {
      return part;
    }
    Binding binding = converter.store().schema().bind(part.getClass());
    return new ConstantPart(part.getClass(), values(binding, handle));
  }

  private static List<@Nullable Object> values(Binding binding, HeapObject handle) {
    List<Property> properties = binding.shape().properties();
    List<@Nullable Object> values = new ArrayList<>(properties.size());
    for (int i = 0; i < properties.size(); i++) {
      values.add(PropertySlots.read(handle, properties.get(i), i));
    }
    return values;
  }
}
