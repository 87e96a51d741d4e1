package io.pmstore.proxy.layer;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.bytecode.PropertyCode;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
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
            copy(from, to, properties.get(i), i);
          }
          return made;
        });
  }

  private static void copy(HeapObject from, HeapObject to, Property property, int index) {
    int at = property.offset();
    switch (property.kind()) {
      case BOOLEAN -> to.putBoolean(at, from.getBoolean(at));
      case BYTE -> to.putByte(at, from.getByte(at));
      case SHORT -> to.putShort(at, from.getShort(at));
      case CHAR -> to.putChar(at, from.getChar(at));
      case INT -> to.putInt(at, from.getInt(at));
      case LONG -> to.putLong(at, from.getLong(at));
      case FLOAT -> to.putFloat(at, from.getFloat(at));
      case DOUBLE -> to.putDouble(at, from.getDouble(at));
      case REFERENCE, ENUM, CELL -> {
        int code = PropertyCode.of(property.kind(), index);
        to.putObject(at, code, from.getObject(at, code));
      }
    }
  }
}
