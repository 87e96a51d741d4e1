package io.pmstore.proxy.layer;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.spi.PersistentObject;
import java.util.List;

/** Clones persistent objects, as shallowly as {@code Object.clone()}. */
final class Clones {
  private final Heap heap;
  private final StoreSchema schema;
  private final Converter converter;

  Clones(Heap heap, StoreSchema schema, Converter converter) {
    this.heap = heap;
    this.schema = schema;
    this.converter = converter;
  }

  /** Makes the new object, in the current transaction or one of its own. */
  Object cloned(HeapObject from, Object original) {
    PersistentClass type = PersistentClasses.of(original.getClass());
    Binding binding = schema.bind(type.type());
    heap.beginWrite();
    return heap.transaction(
        () -> {
          Object made = converter.createEmpty(binding);
          type.copyTransients(original, made);
          HeapObject to = (HeapObject) ((PersistentObject) made).pmstoreHandle();
          List<Property> properties = binding.shape().properties();
          for (int i = 0; i < properties.size(); i++) {
            PropertySlots.copy(from, to, properties.get(i), i);
          }
          return made;
        });
  }
}
