package io.pmstore.proxy.embedded;

import io.pmstore.Migration;
import io.pmstore.NotPersistableException;
import io.pmstore.OldObject;
import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.evolution.Results;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.proxy.evolution.Source;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.value.PrimitiveSlots;
import io.pmstore.proxy.value.ValueCells;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The records and the arrays of references in the cells of one store. Each write makes a new object
 * of the heap and each read a new Java object: they are values, which have no identity. Safe for
 * use by any number of threads.
 */
public final class EmbeddedValues {
  /** How deep values may lie in each other: they are written and read on the stack. */
  private static final int DEPTH_MAX = 200;

  private final Heap heap;
  private final StoreObjects objects;
  private final ValueCells values;
  private final EmbeddedTypes types;
  private final OlderSlots olderSlots;
  private final StoreSchema schema;
  private final Migrations migrations;

  /**
   * Creates the values of a store.
   *
   * @param heap the store's heap
   * @param schema knows the enums of components
   * @param objects what components refer to
   * @param values the values without parts
   * @param migrations the migration functions
   */
  public EmbeddedValues(
      Heap heap,
      StoreSchema schema,
      StoreObjects objects,
      ValueCells values,
      Migrations migrations) {
    this.heap = heap;
    this.objects = objects;
    this.values = values;
    this.types = new EmbeddedTypes(schema);
    this.schema = schema;
    this.migrations = migrations;
    this.olderSlots = new OlderSlots(heap, schema, objects, this);
  }

  /**
   * Says whether an object is a value with parts.
   *
   * @param object any object
   * @return true for a record and for an array of references
   */
  public static boolean isEmbedded(Object object) {
    return object instanceof Record || object instanceof Object[];
  }

  // ---- writing

  /**
   * Writes a value into a cell, inside a transaction.
   *
   * @param object the address of the object that holds the cell
   * @param offset of the cell, in bytes
   * @param value a record or an array of references
   * @param path how it is reached
   * @param admission admits its parts
   * @throws NotPersistableException if a part cannot be stored, or values lie in each other too
   *     deep
   * @throws io.pmstore.ClassRefusedException if it is a record with a component that no property
   *     could have
   */
  public void write(long object, int offset, Object value, Path path, Admission admission) {
    checkDepth(value, path, 1);
    writeWhole(object, offset, value, path, admission);
  }

  /** Also finds an array that contains itself. */
  private void checkDepth(@Nullable Object value, Path path, int depth) {
    if (value != null && isEmbedded(value) && depth > DEPTH_MAX) {
      throw new NotPersistableException(
          path
              + ": records and arrays lie in each other more than "
              + DEPTH_MAX
              + " deep; make a class of them annotated with @Persistent, whose objects refer to"
              + " each other");
    }
    if (value instanceof Object[] array) {
      for (Object element : array) {
        checkDepth(element, path, depth + 1);
      }
    } else if (value instanceof Record record) {
      EmbeddedType.OfRecord type = recordType(record);
      for (int i = 0; i < type.readers().size(); i++) {
        if (type.property(i).kind() == SlotKind.CELL) {
          checkDepth(component(type, record, i), path, depth + 1);
        }
      }
    }
  }

  private void writeWhole(long object, int offset, Object value, Path path, Admission admission) {
    long made =
        switch (types.of(value.getClass())) {
          case EmbeddedType.OfRecord type -> newRecord(type, value, path, admission);
          case EmbeddedType.OfArray type -> newArray(type, (Object[]) value, path, admission);
        };
    heap.putLong(object, offset, CellLayout.first(CellLayout.EMBEDDED, 0, 0));
    heap.putLong(object, offset + CellLayout.C_OFFSET, made);
  }

  private long newRecord(EmbeddedType.OfRecord type, Object value, Path path, Admission admission) {
    long made = heap.allocate(type.shape().id(), type.shape().size());
    writeParts(type, made, value, path, admission);
    return made;
  }

  private void writeParts(
      EmbeddedType.OfRecord type, long made, Object value, Path path, Admission admission) {
    for (int i = 0; i < type.readers().size(); i++) {
      Object part = component(type, value, i);
      if (part != null) {
        Path its =
            path.property(type.property(i).name(), type.record().components().get(i).getType());
        writeComponent(type, i, made, part, its, admission);
      }
    }
  }

  private void writeComponent(
      EmbeddedType.OfRecord type, int i, long made, Object part, Path path, Admission admission) {
    Property property = type.property(i);
    int offset = property.offset();
    switch (property.kind()) {
      case BOOLEAN, BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE ->
          PrimitiveSlots.write(heap, made, offset, property.kind(), part);
      case ENUM -> heap.putInt(made, offset, type.enumNumbers(i).inSlot((Enum<?>) part));
      case REFERENCE -> heap.putLong(made, offset, address(admission.admit(part, path)));
      case CELL -> {
        if (isEmbedded(part)) {
          writeWhole(made, offset, part, path, admission);
        } else if (!values.write(made, offset, part)) {
          values.writeReference(made, offset, address(admission.admit(part, path)));
        }
      }
    }
  }

  private long address(@Nullable Object stored) {
    if (stored == null) {
      throw new IllegalStateException("what is not null was admitted as null");
    }
    return objects.addressToLink(stored);
  }

  /** The elements are those of a list, which keeps them however many they are. */
  @SuppressWarnings("unchecked") // the list is new and empty
  private long newArray(EmbeddedType.OfArray type, Object[] array, Path path, Admission admission) {
    long made = heap.allocate(type.shape().id(), type.shape().size());
    List<@Nullable Object> elements =
        (List<@Nullable Object>) objects.newCollection(CollectionKind.LIST, null);
    @Nullable Object[] stored = new Object[array.length];
    for (int i = 0; i < array.length; i++) {
      stored[i] = admission.admit(array[i], path.element(i));
    }
    elements.addAll(Arrays.asList(stored));
    long address = objects.addressToLink(elements);
    heap.onRollback(() -> objects.forget(address, elements));
    heap.putLong(made, type.elementsOffset(), address);
    return made;
  }

  // ---- reading

  /**
   * Reads a cell, inside a transaction or a consistent read.
   *
   * @param first its first word
   * @param second its second word
   * @return its value or object, or null
   * @throws PmStoreException if the constructor of a record refuses what was stored
   */
  public @Nullable Object readCell(long first, long second) {
    return switch (CellLayout.tag(first)) {
      case CellLayout.OBJECT -> objects.at(second);
      case CellLayout.EMBEDDED -> read(second);
      default -> values.read(first, second);
    };
  }

  private Object read(long home) {
    long address = heap.body(home);
    int shapeId = heap.shapeId(address);
    return switch (types.of(shapeId)) {
      case EmbeddedType.OfRecord type ->
          shapeId == type.shape().id()
              ? readRecord(type, address)
              : construct(type, olderParts(type, schema.mappingOf(shapeId), address));
      case EmbeddedType.OfArray type -> {
        long elements = heap.getLong(address, type.elementsOffset());
        List<?> list = (List<?>) objects.at(elements);
        yield list.toArray((Object[]) Array.newInstance(type.elementType(), list.size()));
      }
    };
  }

  private Object readRecord(EmbeddedType.OfRecord type, long address) {
    @Nullable Object[] parts = new Object[type.readers().size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = readComponent(type, i, address);
    }
    return construct(type, parts);
  }

  private @Nullable Object readComponent(EmbeddedType.OfRecord type, int i, long address) {
    Property property = type.property(i);
    int offset = property.offset();
    return switch (property.kind()) {
      case BOOLEAN, BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE ->
          PrimitiveSlots.read(heap, address, offset, property.kind());
      case ENUM -> type.enumNumbers(i).ofSlot(heap.getInt(address, offset));
      case REFERENCE -> {
        long target = heap.getLong(address, offset);
        yield target == 0 ? null : objects.at(target);
      }
      case CELL -> {
        long first = heap.getLong(address, offset);
        yield first == CellLayout.NULL
            ? null
            : readCell(first, heap.getLong(address, offset + CellLayout.C_OFFSET));
      }
    };
  }

  /** The components of today's record that an older one stands for. */
  private @Nullable Object[] olderParts(
      EmbeddedType.OfRecord type, ShapeMapping mapping, long address) {
    @Nullable Object[] parts = new Object[type.readers().size()];
    OldObject old = mapping.needsFunction() ? olderSlots.copy(mapping.from(), address) : null;
    for (int i = 0; i < parts.length; i++) {
      Class<?> declared = type.record().components().get(i).getType();
      parts[i] =
          switch (mapping.source(type.record().slots().get(i))) {
            case Source.Stored stored -> olderSlots.read(stored, address, type.enums().get(i));
            case Source.Initial _ -> Array.get(Array.newInstance(declared, 1), 0);
            case Source.Function function -> {
              Class<?> record = type.record().type();
              Migration migration = migrations.of(record, mapping, function.to());
              yield Results.fitting(
                  Migrations.run(migration, Objects.requireNonNull(old), null),
                  declared,
                  () -> record.getName() + "." + function.to().name());
            }
          };
    }
    return parts;
  }

  /**
   * Has a record's shape in the catalogue.
   *
   * @param type a record
   * @throws io.pmstore.ClassRefusedException if its values cannot be kept in this store
   */
  public void bind(Class<?> type) {
    types.of(type);
  }

  /**
   * Gives a record of an older shape today's, inside a transaction.
   *
   * @param home the address that cells hold
   * @param admission admits its parts
   */
  public void upgrade(long home, Admission admission) {
    long address = heap.body(home);
    int shapeId = heap.shapeId(address);
    if (types.of(shapeId) instanceof EmbeddedType.OfRecord type && shapeId != type.shape().id()) {
      Object value = construct(type, olderParts(type, schema.mappingOf(shapeId), address));
      long made = heap.move(home, type.shape().id(), type.shape().size());
      writeParts(type, made, value, Path.of(value), admission);
    }
  }

  /**
   * What reads the slots of objects of older shapes.
   *
   * @return the reader of this store
   */
  public OlderSlots olderSlots() {
    return olderSlots;
  }

  private static Object construct(EmbeddedType.OfRecord type, @Nullable Object[] parts) {
    try {
      return (Object) type.constructor().invokeExact(parts);
    } catch (Error e) {
      throw e;
    } catch (Throwable t) {
      throw new PmStoreException(
          "the constructor of record %s refuses %s, which the store holds: %s; let it accept what it accepted when that was stored"
              .formatted(type.record().type().getName(), Arrays.toString(parts), t),
          t);
    }
  }

  private static @Nullable Object component(EmbeddedType.OfRecord type, Object value, int i) {
    try {
      return (Object) type.readers().get(i).invokeExact(value);
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable t) {
      throw new PmStoreException("reading " + type.property(i) + " of a record failed", t);
    }
  }

  // ---- records as keys

  /**
   * A hash code that is the same in every JVM and consistent with the record's {@code equals}: the
   * sum of what its components hash to, or the record's own if it declares one. The sum stays what
   * it was when components change their order or their names, become wider, or are added and have
   * nothing in them.
   *
   * @param record the record
   * @param ofPart hashes a component
   * @return its hash code
   */
  public int hash(Record record, ToIntFunction<@Nullable Object> ofPart) {
    EmbeddedType.OfRecord type = recordType(record);
    if (type.record().hasOwnHash()) {
      return record.hashCode();
    }
    int hash = 0;
    for (int i = 0; i < type.readers().size(); i++) {
      Object part = component(type, record, i);
      if (!isNothing(part)) {
        hash += mixed(type.salts().get(i) ^ ofPart.applyAsInt(widest(part)));
      }
    }
    return hash;
  }

  /** Spreads a hash code over all bits: the finalizer of MurmurHash3 (Austin Appleby). */
  private static int mixed(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x85eb_ca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2_ae35;
    return mixed ^ mixed >>> 16;
  }

  private static boolean isNothing(@Nullable Object part) {
    return switch (part) {
      case null -> true;
      case Boolean flag -> !flag;
      case Character character -> character == 0;
      case Number number when isPrimitive(number) -> number.doubleValue() == 0;
      default -> false;
    };
  }

  private static boolean isPrimitive(Number number) {
    return widest(number) instanceof Long || widest(number) instanceof Double;
  }

  private static @Nullable Object widest(@Nullable Object part) {
    return switch (part) {
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case Character character -> (long) character;
      case Float number -> number.doubleValue();
      case null, default -> part;
    };
  }

  /**
   * A record with other components.
   *
   * @param record the record
   * @param replacement what takes the place of a component that is not null; the component itself
   *     to keep it
   * @return the same record if every component is kept, or else a new one
   */
  @SuppressWarnings("ReferenceEquality") // a twin may be equal to its plain object
  public Record map(Record record, UnaryOperator<Object> replacement) {
    EmbeddedType.OfRecord type = recordType(record);
    @Nullable Object[] parts = new Object[type.readers().size()];
    boolean same = true;
    for (int i = 0; i < parts.length; i++) {
      Object part = component(type, record, i);
      parts[i] = part == null || ValueCells.isValue(part) ? part : replacement.apply(part);
      same &= parts[i] == part;
    }
    return same ? record : (Record) construct(type, parts);
  }

  private EmbeddedType.OfRecord recordType(Record record) {
    return (EmbeddedType.OfRecord) types.of(record.getClass());
  }
}
