package io.pmstore.proxy.slot;

import io.pmstore.ClassRefusedException;
import io.pmstore.core.catalogue.Origin;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.bytecode.PrivateLookups;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.Provisional;
import io.pmstore.proxy.schema.StoreSchema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records and arrays that one store has met. They are added to the catalogue when they are
 * first used, durably and independently of the caller's transaction. Thread-safe.
 */
final class EmbeddedTypes {
  private static final MethodType READER = MethodType.methodType(Object.class, Object.class);

  private final StoreSchema schema;
  private final Map<Class<?>, EmbeddedType> byClass = new ConcurrentHashMap<>();
  private final Map<Integer, EmbeddedType> byShape = new ConcurrentHashMap<>();
  private final Map<Class<?>, Sought> sought = new ConcurrentHashMap<>();

  /** A record that was looked up, and that the store did not have then. */
  private record Sought(ProgramClass today, EmbeddedType.OfRecord type) {}

  EmbeddedTypes(StoreSchema schema) {
    this.schema = schema;
  }

  /**
   * Returns the type of a record or array.
   *
   * @throws ClassRefusedException if its values cannot be kept in this store
   */
  EmbeddedType of(Class<?> type) {
    EmbeddedType known = byClass.get(type);
    if (known != null && known.stands()) {
      return known;
    }
    EmbeddedType made = type.isArray() ? array(type) : record(type);
    if (made.shape().id() != 0) {
      published(byShape, made.shape().id(), made);
    }
    return published(byClass, type, made);
  }

  private static <K> EmbeddedType published(Map<K, EmbeddedType> map, K key, EmbeddedType made) {
    return map.merge(key, made, (first, next) -> first.stands() ? first : next);
  }

  /**
   * Returns the type of a record for a look-up, which adds nothing to the store. A record that
   * cannot be kept is in no store, so it has a type too.
   *
   * @throws ClassRefusedException if the class does not fit what the store has of it
   */
  EmbeddedType.OfRecord toFind(Class<?> type) {
    EmbeddedType known = byClass.get(type);
    return (EmbeddedType.OfRecord) (known != null && known.stands() ? known : planned(type));
  }

  private EmbeddedType planned(Class<?> type) {
    Sought last = sought.get(type);
    ProgramClass today = last == null ? ProgramClass.of(RecordClass.of(type)) : last.today();
    Provisional now = new Provisional(schema.catalogue());
    Shape shape = schema.shapeToFind(today);
    if (shape.id() != 0) {
      return of(type);
    }
    if (last != null && last.type().shape().equals(shape)) {
      return last.type();
    }
    EmbeddedType.OfRecord made =
        record(RecordClass.of(type), shape, schema::enumNumbersToFind, now);
    sought.put(type, new Sought(today, made));
    return made;
  }

  /**
   * Returns the type of values of a shape.
   *
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws ClassRefusedException if the class is missing or no longer fits the shape
   */
  EmbeddedType of(int shapeId) {
    EmbeddedType known = byShape.get(shapeId);
    if (known != null && known.stands()) {
      return known;
    }
    Class<?> type = schema.classOf(shapeId);
    if (!type.isArray() && !RecordClass.hasComponents(type)) {
      throw new ClassRefusedException(
          "the store holds values of %s as of a record, but it is none any more; make it a record again"
              .formatted(type.getName()));
    }
    EmbeddedType made = of(type);
    schema.requireSameClass(shapeId, made.shape());
    return published(byShape, shapeId, made);
  }

  private EmbeddedType array(Class<?> type) {
    Provisional now = new Provisional(schema.catalogue());
    Shape shape = schema.define(ProgramClass.ofArray(type));
    return new EmbeddedType.OfArray(type.getComponentType(), shape, shape.id() != 0 ? null : now);
  }

  private EmbeddedType record(Class<?> type) {
    RecordClass record = RecordClass.of(type);
    Provisional now = new Provisional(schema.catalogue());
    return record(record, schema.define(ProgramClass.of(record)), schema::enumNumbers, now);
  }

  private EmbeddedType.OfRecord record(
      RecordClass record,
      Shape shape,
      Function<Class<?>, EnumNumbers> enumNumbers,
      Provisional now) {
    Class<?> type = record.type();
    List<@Nullable EnumNumbers> enums = new ArrayList<>();
    List<Integer> salts = new ArrayList<>();
    boolean complete = shape.id() != 0;
    for (int i = 0; i < record.components().size(); i++) {
      Class<?> componentType = record.components().get(i).getType();
      EnumNumbers numbers = componentType.isEnum() ? enumNumbers.apply(componentType) : null;
      complete &= numbers == null || numbers.isComplete();
      enums.add(numbers);
      salts.add(schema.catalogue().firstName(shape, record.slots().get(i)).hashCode());
    }
    try {
      return new EmbeddedType.OfRecord(
          record,
          shape,
          type.isRecord()
              ? constructor(record)
              : type == Optional.class ? optionalOfNullable() : newEntry(),
          type.isRecord()
              ? readers(record)
              : type == Optional.class ? List.of(optionalOrNull()) : entryReaders(),
          Collections.unmodifiableList(enums),
          List.copyOf(salts),
          !record.hasOwnHash() && record.keepsArguments() && keepsComponents(shape),
          complete ? null : now);
    } catch (ReflectiveOperationException e) {
      throw new ClassRefusedException(
          "record %s cannot be kept in a store: %s; please report this, with the class file"
              .formatted(type.getName(), e),
          e);
    }
  }

  /**
   * Returns true if records of older shapes are read with all that they were stored with, and with
   * nothing in the components that they did not have.
   */
  private boolean keepsComponents(Shape newest) {
    Shape shape = newest;
    while (shape.predecessor() != 0) {
      Shape older = schema.catalogue().shape(shape.predecessor());
      int kept = 0;
      for (Origin origin : shape.origins()) {
        if (origin.kind() == Origin.Kind.FUNCTION) {
          return false;
        }
        kept += origin.kind() == Origin.Kind.STORED ? 1 : 0;
      }
      if (kept < older.properties().size()) {
        return false;
      }
      shape = older;
    }
    return true;
  }

  private static MethodHandle constructor(RecordClass record) throws ReflectiveOperationException {
    Class<?> type = record.type();
    List<Class<?>> types = new ArrayList<>();
    record.components().forEach(component -> types.add(component.getType()));
    return PrivateLookups.in(type, type)
        .findConstructor(type, MethodType.methodType(void.class, types))
        .asFixedArity() // a record may declare its last component with dots
        .asType(MethodType.genericMethodType(types.size()))
        .asSpreader(Object[].class, types.size());
  }

  private static List<MethodHandle> readers(RecordClass record)
      throws ReflectiveOperationException {
    Class<?> type = record.type();
    MethodHandles.Lookup lookup = PrivateLookups.in(type, type);
    List<MethodHandle> readers = new ArrayList<>();
    for (RecordComponent component : record.components()) {
      // Reads the field, because an accessor may return something else.
      MethodHandle reader = lookup.findGetter(type, component.getName(), component.getType());
      readers.add(reader.asType(READER));
    }
    return List.copyOf(readers);
  }

  private static MethodHandle optionalOfNullable() throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findStatic(
            Optional.class, "ofNullable", MethodType.methodType(Optional.class, Object.class))
        .asType(MethodType.genericMethodType(1))
        .asSpreader(Object[].class, 1);
  }

  private static MethodHandle optionalOrNull() throws ReflectiveOperationException {
    MethodHandle orElse =
        MethodHandles.publicLookup()
            .findVirtual(
                Optional.class, "orElse", MethodType.methodType(Object.class, Object.class));
    @Nullable Object[] nothing = {null};
    return MethodHandles.insertArguments(orElse, 1, nothing).asType(READER);
  }

  private static MethodHandle newEntry() throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findConstructor(
            SimpleImmutableEntry.class,
            MethodType.methodType(void.class, Object.class, Object.class))
        .asType(MethodType.genericMethodType(2))
        .asSpreader(Object[].class, 2);
  }

  private static List<MethodHandle> entryReaders() throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodType type = MethodType.methodType(Object.class);
    return List.of(
        lookup.findVirtual(Map.Entry.class, "getKey", type).asType(READER),
        lookup.findVirtual(Map.Entry.class, "getValue", type).asType(READER));
  }
}
