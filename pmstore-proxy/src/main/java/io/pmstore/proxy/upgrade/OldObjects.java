package io.pmstore.proxy.upgrade;

import io.pmstore.Migration;
import io.pmstore.OldObject;
import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.WriteNeededException;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.proxy.evolution.Source;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.PrimitiveSlots;
import io.pmstore.proxy.slot.Results;
import io.pmstore.proxy.slot.Slots;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.spi.PersistentObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of one store that still have an older shape as objects of today's classes, and
 * upgrades them. Thread-safe.
 *
 * <p>A stored value is read where it is. A value that has to be made for the object, by a migration
 * function or by an initializer that makes a new object each time, is made once: by upgrading the
 * object. Where nothing can be written, it is made for each read.
 */
public final class OldObjects {
  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final Slots slots;
  private final Converter converter;
  private final Migrations migrations;
  private final InitialValues initials = new InitialValues();

  public OldObjects(StoreContext store, Slots slots, Converter converter) {
    this.heap = store.heap();
    this.schema = store.schema();
    this.objects = store.objects();
    this.migrations = store.migrations();
    this.slots = slots;
    this.converter = converter;
  }

  // ---- reading

  /** Implements {@link io.pmstore.core.heap.ObjectLayer#readBits}. */
  public long readBits(HeapObject object, long body, int shapeId, int offset) {
    ShapeMapping mapping = schema.mappingOf(shapeId);
    Source source = mapping.sourceAt(offset);
    if (source instanceof Source.Stored stored) { // the most frequent one, without a switch
      Property from = stored.from();
      return PrimitiveSlots.bits(heap, body, from.offset(), from.kind(), stored.to().kind());
    }
    return source instanceof Source.Initial
        ? initials.of(schema.bindingOf(shapeId).type()).bits(offset)
        : madeBits(object, shapeId, mapping, source.to());
  }

  private long madeBits(HeapObject object, int shapeId, ShapeMapping mapping, Property property) {
    if (!canWrite()) {
      int index = mapping.to().properties().indexOf(property);
      Object made = heap.read(() -> computed(object, shapeId, index));
      return PrimitiveSlots.bits(Objects.requireNonNull(made), property.kind());
    }
    return heap.transactionOfRead(
        () -> {
          long body = upgrade(object);
          SlotKind kind = property.kind();
          return PrimitiveSlots.bits(heap, body, property.offset(), kind, kind);
        });
  }

  /** Returns true if the calling thread can upgrade objects where it is. */
  private boolean canWrite() {
    return heap.inTransaction() ? heap.isWritable() : !heap.isReadOnly();
  }

  /**
   * Returns true if a property's value has to be made for the object: the object is upgraded before
   * the property is read, if that is possible.
   *
   * @param index of the property in today's shape
   */
  public boolean isMadeByUpgrade(int shapeId, int index) {
    return switch (schema.mappingOf(shapeId).source(index)) {
      case Source.Stored _ -> false;
      case Source.Initial _ -> initials.of(schema.bindingOf(shapeId).type()).isOwn(index);
      case Source.Function _ -> true;
    };
  }

  /**
   * Reads a property, inside a transaction, a snapshot or a consistent read. Returns its value,
   * boxed if it is primitive, or null.
   *
   * @param body the address of the object's fields
   * @param shapeId its older shape
   * @param index of the property in today's shape
   */
  public @Nullable Object read(HeapObject object, long body, int shapeId, int index) {
    Binding binding = schema.bindingOf(shapeId);
    return switch (schema.mappingOf(shapeId).source(index)) {
      case Source.Stored stored -> slots.older().read(stored, body, binding.enums().get(index));
      case Source.Initial _ -> unstored(binding, index, initials.of(binding.type()).value(index));
      case Source.Function _ -> computed(object, shapeId, index);
    };
  }

  /** Returns what a migration function makes, where it cannot be stored. */
  private @Nullable Object computed(HeapObject object, int shapeId, int index) {
    Binding binding = schema.bindingOf(shapeId);
    ShapeMapping mapping = schema.mappingOf(shapeId);
    OldObject old = slots.older().copy(mapping.from(), heap.bodies().body(object.identity()));
    return unstored(binding, index, made(binding, mapping, index, old, object));
  }

  /**
   * Returns what was made, if it is a value. Where nothing can be stored, returns an unmodifiable
   * stand-in, if it can be used without being stored. Throws otherwise.
   */
  private @Nullable Object unstored(Binding binding, int index, @Nullable Object made) {
    if (made == null || PersistentObject.isPersistent(made) || converter.isValue(made)) {
      return made;
    }
    if (!heap.isReadOnly() && !heap.inSnapshot()) {
      throw new WriteNeededException(
          "%s: the object was stored before its class had this property, so the first read makes the value and stores it in a transaction; read it in a transaction first"
              .formatted(name(binding, index)));
    }
    Object empty = Unmodifiable.empty(made);
    if (empty == null || !binding.type().properties().get(index).type().isInstance(empty)) {
      throw new PmStoreException(
          "%s: the object was stored before its class had this property, so the first read makes the value and stores it, which is impossible in a snapshot or in a store that is open for reading only; read it once elsewhere, or upgrade the store with store.upgrade()"
              .formatted(name(binding, index)));
    }
    return empty;
  }

  // ---- upgrading

  /**
   * Implements {@link io.pmstore.core.heap.ObjectLayer#upgrade}: returns the address of the
   * object's fields, which have today's shape then. Runs inside a transaction.
   */
  public long upgrade(HeapObject object) {
    long home = object.identity();
    long body = heap.bodies().body(home);
    int shapeId = heap.shapeId(body);
    Binding binding = schema.bindingOf(shapeId);
    object.evolvesTo(binding.shape().id());
    if (shapeId == binding.shape().id()) {
      return body;
    }
    ShapeMapping mapping = schema.mappingOf(shapeId);
    OldObject old = mapping.needsFunction() ? slots.older().copy(mapping.from(), body) : null;
    @Nullable Object[] converted = converted(mapping, body, binding);
    ByteBuffer contents = copied(mapping, body);
    Shape to = mapping.to();
    long upgraded = body;
    if (to.size() <= heap.size(body)) {
      heap.bodies().reshape(body, to.id());
    } else {
      upgraded = heap.bodies().move(home, to.id(), to.size());
    }
    for (int offset = ObjectLayout.HEADER; offset < to.size(); offset += Long.BYTES) {
      heap.putLong(upgraded, offset, contents.getLong(offset));
    }
    for (int i = 0; i < converted.length; i++) {
      switch (mapping.source(i)) {
        case Source.Stored _ -> write(binding, object, upgraded, i, converted[i]);
        case Source.Initial _ ->
            write(binding, object, upgraded, i, initials.of(binding.type()).value(i));
        case Source.Function _ -> {} // may read all other properties, so it runs after them
      }
    }
    for (int i = 0; old != null && i < converted.length; i++) {
      if (mapping.source(i) instanceof Source.Function) {
        write(binding, object, upgraded, i, made(binding, mapping, i, old, object));
      }
    }
    return upgraded;
  }

  /** Returns the values of slots of other kinds than today's, which have other bits. */
  private @Nullable Object[] converted(ShapeMapping mapping, long body, Binding binding) {
    @Nullable Object[] values = new Object[mapping.to().properties().size()];
    for (int i = 0; i < values.length; i++) {
      if (mapping.source(i) instanceof Source.Stored stored
          && stored.to().kind() != stored.from().kind()) {
        values[i] = slots.older().read(stored, body, binding.enums().get(i));
      }
    }
    return values;
  }

  /** Returns the contents of today's shape, as far as the older object has them as bits. */
  private ByteBuffer copied(ShapeMapping mapping, long body) {
    ByteBuffer old = buffer(mapping.from());
    for (int offset = ObjectLayout.HEADER; offset < old.capacity(); offset += Long.BYTES) {
      old.putLong(offset, heap.getLong(body, offset));
    }
    ByteBuffer contents = buffer(mapping.to());
    for (int i = 0; i < mapping.to().properties().size(); i++) {
      if (mapping.source(i) instanceof Source.Stored(Property to, Property from, SlotKind _)
          && to.kind() == from.kind()) {
        contents.put(to.offset(), old, from.offset(), from.kind().width());
      }
    }
    return contents;
  }

  private static ByteBuffer buffer(Shape shape) {
    return ByteBuffer.allocate(shape.size()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void write(
      Binding binding, HeapObject object, long upgraded, int index, @Nullable Object value) {
    if (value != null) {
      Property slot = binding.shape().properties().get(index);
      Path path = Path.ofProperty(schema, object, index);
      slots.write(upgraded, slot, binding.enums().get(index), value, path, converter);
    }
  }

  // ---- migration functions

  /**
   * Returns the checked result of a property's migration function; a primitive is of the property's
   * type.
   */
  private @Nullable Object made(
      Binding binding, ShapeMapping mapping, int index, OldObject old, HeapObject object) {
    Class<?> type = binding.type().type();
    Property property = mapping.to().properties().get(index);
    Migration migration = migrations.of(type, mapping, property);
    Object result = Migrations.run(migration, old, objects.at(object.identity()));
    return Results.fitting(
        result, binding.type().properties().get(index).type(), () -> name(binding, index));
  }

  private static String name(Binding binding, int index) {
    return binding.type().type().getName() + "." + binding.shape().properties().get(index).name();
  }
}
