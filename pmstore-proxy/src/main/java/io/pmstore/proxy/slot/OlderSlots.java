package io.pmstore.proxy.slot;

import io.pmstore.ClassRefusedException;
import io.pmstore.OldObject;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.evolution.Source;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.StoreSchema;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the slots of objects of older shapes, inside a transaction or a consistent read.
 * Thread-safe.
 */
public final class OlderSlots {
  private final Heap heap;
  private final StoreSchema schema;
  private final Slots slots;

  OlderSlots(StoreContext store, Slots slots) {
    this.heap = store.heap();
    this.schema = store.schema();
    this.slots = slots;
  }

  /**
   * Returns the value of a property of today's class, boxed if it is primitive, or null.
   *
   * @param source where it is stored
   * @param object the address of the older object's fields
   * @param numbers of the property's constants, if it is of an enum now
   */
  public @Nullable Object read(Source.Stored source, long object, @Nullable EnumNumbers numbers) {
    Property from = source.from();
    SlotKind to = source.to().kind();
    if (from.kind().isPrimitive()) {
      SlotKind as = to.isPrimitive() ? to : source.boxAs();
      return PrimitiveSlots.value(
          PrimitiveSlots.bits(heap, object, from.offset(), from.kind(), as), as);
    }
    boolean isEnum = from.kind() == SlotKind.ENUM && numbers == null;
    return slots.read(object, from, isEnum ? enumNumbers(from) : numbers);
  }

  private EnumNumbers enumNumbers(Property property) {
    return schema.enumNumbers(schema.catalogue().enumType(property).id());
  }

  /**
   * Returns a copy of all values of an object of an older shape, for a migration function.
   *
   * @param object the address of the older object's fields
   */
  public OldObject copy(Shape shape, long object) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Property property : shape.properties()) {
      try {
        values.put(property.name(), asStored(property, object));
      } catch (ClassRefusedException e) {
        values.put(property.name(), new Unreadable(e)); // the function may not ask for it
      }
    }
    return new Copy(shape.className(), Collections.unmodifiableMap(values));
  }

  private @Nullable Object asStored(Property slot, long object) {
    if (slot.kind() != SlotKind.ENUM) {
      return slots.read(object, slot, null);
    }
    int number = heap.getInt(object, slot.offset());
    return number == 0 ? null : constant(slot, number - 1);
  }

  /** Returns the constant, or its name if the enum or the constant no longer exists. */
  private Object constant(Property slot, int number) {
    try {
      return enumNumbers(slot).constant(number);
    } catch (ClassRefusedException e) {
      List<String> names = schema.catalogue().enumType(slot).constants();
      if (number < names.size()) {
        return names.get(number);
      }
      throw e;
    }
  }

  /** A property that refers to an object of a class that no longer exists. */
  private record Unreadable(ClassRefusedException cause) {}

  private record Copy(String className, Map<String, @Nullable Object> values) implements OldObject {
    @Override
    public Set<String> properties() {
      return values.keySet();
    }

    @Override
    public @Nullable Object get(String property) {
      if (!values.containsKey(property)) {
        throw new IllegalArgumentException(
            "the stored %s has no property %s; ask for one that it has, by its name then: %s"
                .formatted(className, property, values.keySet()));
      }
      Object value = values.get(property);
      if (value instanceof Unreadable unreadable) {
        throw new ClassRefusedException(
            "property %s of the stored %s cannot be read: %s"
                .formatted(property, className, unreadable.cause().getMessage()),
            unreadable.cause());
      }
      return value;
    }
  }
}
