package io.pmstore.proxy.convert;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.identity.ProgramConstants;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.spi.EnhancedObject;
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
    List<Property> properties = binding.shape().properties();
    List<@Nullable Object> values = new ArrayList<>(properties.size());
    for (int i = 0; i < properties.size(); i++) {
      values.add(PropertySlots.read(handle, properties.get(i), i));
    }
    return binding.type().constantOf(values);
  }
}
