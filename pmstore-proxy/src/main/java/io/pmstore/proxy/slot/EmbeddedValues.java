package io.pmstore.proxy.slot;

import io.pmstore.Migration;
import io.pmstore.NotPersistableException;
import io.pmstore.OldObject;
import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.PersistentList;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.proxy.evolution.Source;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.value.ValueCells;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The records and arrays of references in the cells of one store. They are values, which have no
 * identity: each write makes a new object in the heap, and each read a new Java object.
 * Thread-safe.
 */
public final class EmbeddedValues {
  /** The maximum depth of nested values: they are written and read recursively. */
  public static final int DEPTH_MAX = 200;

  private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
  private final Heap heap;
  private final StoreContext store;
  private final Slots slots;
  private final EmbeddedTypes types;

  EmbeddedValues(StoreContext store, Slots slots) {
    this.heap = store.heap();
    this.store = store;
    this.slots = slots;
    this.types = new EmbeddedTypes(store.schema());
  }

  /**
   * Returns true if an object is a value with parts: a record, an {@code Optional}, an entry that
   * never changes, or an array of references.
   */
  public static boolean isEmbedded(Object object) {
    return object instanceof Object[] || hasComponents(object);
  }

  /** Returns true if an object is a record, an {@code Optional}, or an entry that never changes. */
  public static boolean hasComponents(@Nullable Object object) {
    return object instanceof Record
        || object instanceof Optional
        || (object instanceof Map.Entry && RecordClass.isEntry(object.getClass()));
  }

  // ---- writing

  /**
   * Writes a record or an array of references into a cell, inside a transaction.
   *
   * @param path leads to the value
   * @param admission converts its parts
   * @throws NotPersistableException if a part cannot be stored, or values are nested too deeply
   * @throws io.pmstore.ClassRefusedException if a record has a component of a type that no property
   *     could have
   */
  public void write(long object, int offset, Object value, Path path, Admission admission) {
    checkDepth(value, path);
    writeWhole(object, offset, value, path, admission);
  }

  /** Throws if values are nested too deeply. This also detects an array that contains itself. */
  public void checkDepth(Object value, Path path) {
    checkDepth(value, path, 1);
  }

  private void checkDepth(@Nullable Object value, Path path, int depth) {
    if (value != null && isEmbedded(value) && depth > DEPTH_MAX) {
      throw new NotPersistableException(
          "%s: records and arrays lie in each other more than %s deep, as they do if an array contains itself; make a class of them annotated with @Persistent, whose objects refer to each other"
              .formatted(path, DEPTH_MAX));
    }
    if (value instanceof Object[] array) {
      for (Object element : array) {
        checkDepth(element, path, depth + 1);
      }
    } else if (value != null && hasComponents(value)) {
      EmbeddedType.OfRecord type = recordType(value);
      for (int i = 0; i < type.readers().size(); i++) {
        if (type.property(i).kind() == SlotKind.CELL) {
          checkDepth(component(type, value, i), path, depth + 1);
        }
      }
    }
  }

  private void writeWhole(long object, int offset, Object value, Path path, Admission admission) {
    long made =
        switch (types.of(value.getClass())) {
          case EmbeddedType.OfRecord type -> {
            long record = heap.allocate(type.shape().id(), type.shape().size());
            writeParts(type, record, value, path, admission);
            yield record;
          }
          case EmbeddedType.OfArray type -> newArray(type, (Object[]) value, path, admission);
        };
    ValueCells.put(heap, object, offset, CellLayout.EMBEDDED, made);
  }

  private void writeParts(
      EmbeddedType.OfRecord type, long made, Object value, Path path, Admission admission) {
    for (int i = 0; i < type.readers().size(); i++) {
      Object part = component(type, value, i);
      if (part == null) {
        continue;
      }
      Property slot = type.property(i);
      Path its = path.property(slot.name(), type.record().components().get(i).getType());
      if (slot.kind() == SlotKind.CELL && isEmbedded(part)) {
        writeWhole(made, slot.offset(), part, its, admission);
      } else {
        slots.write(made, slot, type.enums().get(i), part, its, admission);
      }
    }
  }

  /** Keeps the elements in a list, whose operations suit any number of them. */
  @SuppressWarnings("unchecked") // the list is new and empty
  private long newArray(EmbeddedType.OfArray type, Object[] array, Path path, Admission admission) {
    long made = heap.allocate(type.shape().id(), type.shape().size());
    List<@Nullable Object> elements =
        (List<@Nullable Object>) store.objects().newCollection(CollectionKind.LIST, null);
    @Nullable Object[] stored = new Object[array.length];
    for (int i = 0; i < array.length; i++) {
      stored[i] = admission.admit(array[i], path.element(i));
    }
    elements.addAll(Arrays.asList(stored));
    long address = store.objects().addressToLink(elements);
    heap.putLong(made, type.elementsOffset(), address);
    return made;
  }

  // ---- reading

  /** Reads a value that may be nested in others, which the calling thread is reading. */
  Object readNested(long home) {
    int[] depth = this.depth.get();
    if (depth[0] > DEPTH_MAX) {
      throw new StoreDamagedException(
          "records and arrays lie in each other more than %d deep, the one at heap address %d among them, expected less; restore the store from a backup"
              .formatted(DEPTH_MAX, home));
    }
    depth[0]++;
    try {
      return read(home);
    } finally {
      depth[0]--;
    }
  }

  private Object read(long home) {
    long address = heap.bodies().body(home);
    int shapeId = heap.shapeId(address);
    return switch (types.of(shapeId)) {
      case EmbeddedType.OfRecord type ->
          shapeId == type.shape().id()
              ? readRecord(type, address)
              : construct(type, olderParts(type, store.schema().mappingOf(shapeId), address));
      case EmbeddedType.OfArray type -> {
        long elements = heap.getLong(address, type.elementsOffset());
        yield store.objects().at(elements) instanceof PersistentList<?> list
            ? array(type, address, list.storedElements())
            : damaged(address, "something else than a list as its elements", "a list");
      }
    };
  }

  private static Object array(EmbeddedType.OfArray type, long address, List<?> elements) {
    try {
      return Facades.toArray(elements, type.elementType());
    } catch (ArrayStoreException e) {
      return damaged(address, "an element of " + e.getMessage(), type.elementType().getName());
    }
  }

  private static Object damaged(long address, String found, String expected) {
    throw new StoreDamagedException(
        "the value at heap address %d has %s, expected %s; restore the store from a backup"
            .formatted(address, found, expected));
  }

  private Object readRecord(EmbeddedType.OfRecord type, long address) {
    @Nullable Object[] parts = new Object[type.readers().size()];
    for (int i = 0; i < parts.length; i++) {
      Object part = slots.read(address, type.property(i), type.enums().get(i));
      parts[i] = part == null ? null : shown(part, type, i);
    }
    try {
      return construct(type, parts);
    } catch (PmStoreException e) {
      if (e.getCause() instanceof ClassCastException) {
        checkParts(type, parts, address);
      }
      throw e;
    }
  }

  private static void checkParts(
      EmbeddedType.OfRecord type, @Nullable Object[] parts, long address) {
    for (int i = 0; i < parts.length; i++) {
      Class<?> declared = type.record().components().get(i).getType();
      if (parts[i] != null && !declared.isPrimitive() && !declared.isInstance(parts[i])) {
        damaged(
            address,
            "one of %s as its %s".formatted(parts[i].getClass().getName(), type.property(i).name()),
            declared.getName());
      }
    }
  }

  /**
   * Returns what a component shows for a persistent object: a facade if the component's type is a
   * JDK collection class.
   */
  private static Object shown(Object stored, EmbeddedType.OfRecord type, int i) {
    return Facades.shown(stored, type.record().components().get(i).getType());
  }

  /** Returns the components of today's record for a stored one of an older shape. */
  private @Nullable Object[] olderParts(
      EmbeddedType.OfRecord type, ShapeMapping mapping, long address) {
    @Nullable Object[] parts = new Object[type.readers().size()];
    OldObject old = mapping.needsFunction() ? slots.older().copy(mapping.from(), address) : null;
    for (int i = 0; i < parts.length; i++) {
      Class<?> declared = type.record().components().get(i).getType();
      parts[i] =
          switch (mapping.source(type.record().slots().get(i))) {
            case Source.Stored stored -> slots.older().read(stored, address, type.enums().get(i));
            case Source.Initial _ -> Array.get(Array.newInstance(declared, 1), 0);
            case Source.Function function -> {
              Class<?> record = type.record().type();
              Migration migration = store.migrations().of(record, mapping, function.to());
              yield Results.fitting(
                  Migrations.run(migration, Objects.requireNonNull(old), null),
                  declared,
                  () -> record.getName() + "." + function.to().name());
            }
          };
      parts[i] = parts[i] == null ? null : shown(parts[i], type, i);
    }
    return parts;
  }

  /**
   * Adds a record's shape to the catalogue if it is missing.
   *
   * @throws io.pmstore.ClassRefusedException if its values cannot be kept in this store
   */
  public void bind(Class<?> type) {
    types.of(type);
  }

  /**
   * Upgrades a record of an older shape to today's, inside a transaction.
   *
   * @param home the address that cells hold
   * @param admission converts its parts
   */
  public void upgrade(long home, Admission admission) {
    long address = heap.bodies().body(home);
    int shapeId = heap.shapeId(address);
    if (types.of(shapeId) instanceof EmbeddedType.OfRecord type && shapeId != type.shape().id()) {
      Object value = construct(type, olderParts(type, store.schema().mappingOf(shapeId), address));
      if (!type.record().keepsArguments()) {
        noteOwnHash(value.getClass()); // a key stays where its former value has led
      }
      long made = heap.bodies().move(home, type.shape().id(), type.shape().size());
      writeParts(type, made, value, Path.of(value), admission);
    }
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
      throw new PmStoreException(
          "component %s of record %s cannot be read: %s; please report this"
              .formatted(type.property(i).name(), type.record().type().getName(), t),
          t);
    }
  }

  // ---- records as keys

  /**
   * Returns true if a record declares {@code hashCode} itself, false if it is hashed by its
   * components.
   */
  public boolean hasOwnHash(Object record) {
    return recordType(record).record().hasOwnHash();
  }

  /**
   * Returns false if a record that is stored may have another hash code today than when it was
   * stored, even though its parts have the same. This is so if the record says itself how it is
   * hashed, or has done so, if its constructor may change what it gets, or has done so in an
   * upgrade, and if its class has lost a component.
   */
  public boolean hasLastingHash(Object record) {
    EmbeddedType.OfRecord type = recordType(record);
    return type.hasLastingHash() && !store.schema().catalogue().hasOwnHash(type.shape());
  }

  /**
   * Notes durably that a record says itself how it is hashed, or that its constructor has changed
   * values that may be keys.
   */
  public void noteOwnHash(Class<?> record) {
    store.schema().catalogue().markOwnHash(types.of(record).shape());
  }

  /**
   * Returns a hash code that is consistent with the {@code equals} that the compiler generates: the
   * sum of the contributions of the components, each hashed by {@code ofPart}. The sum does not
   * change when components are reordered, renamed or widened, or when components that are null or
   * zero are added.
   */
  public int hash(Object record, ToIntFunction<@Nullable Object> ofPart) {
    EmbeddedType.OfRecord type = recordType(record);
    int hash = 0;
    for (int i = 0; i < type.readers().size(); i++) {
      hash += ComponentHash.of(component(type, record, i), type.salts().get(i), ofPart);
    }
    return hash;
  }

  /**
   * Returns a record with some components replaced.
   *
   * @param replacement maps each component that is neither null nor a value to its replacement, or
   *     to itself
   * @return the same record if no component is replaced, or else a new one
   */
  @SuppressWarnings("ReferenceEquality") // a twin may be equal to its plain object
  public Object map(Object record, UnaryOperator<Object> replacement) {
    EmbeddedType.OfRecord type = recordType(record);
    @Nullable Object[] parts = new Object[type.readers().size()];
    boolean same = true;
    for (int i = 0; i < parts.length; i++) {
      Object part = component(type, record, i);
      parts[i] =
          part == null || store.values().isValue(part)
              ? part
              : shown(replacement.apply(part), type, i);
      same &= parts[i] == part;
    }
    return same ? record : construct(type, parts);
  }

  /** Returns the values of a record's components, in their order. */
  public @Nullable Object[] parts(Object record) {
    EmbeddedType.OfRecord type = recordType(record);
    @Nullable Object[] parts = new Object[type.readers().size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = component(type, record, i);
    }
    return parts;
  }

  /** Returns a value with components that has these. */
  public Object of(Class<?> type, @Nullable Object[] parts) {
    EmbeddedType.OfRecord record = types.toFind(type);
    @Nullable Object[] shown = parts.clone();
    for (int i = 0; i < shown.length; i++) {
      shown[i] = parts[i] == null ? null : shown(parts[i], record, i);
    }
    return construct(record, shown);
  }

  private EmbeddedType.OfRecord recordType(Object record) {
    return types.toFind(record.getClass());
  }
}
