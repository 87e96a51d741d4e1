package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.embedded.Admission;
import io.pmstore.proxy.embedded.EmbeddedValues;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.identity.Twins;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.value.PrimitiveSlots;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns plain objects into persistent ones, for one store. Safe for use by any number of threads.
 *
 * <p>What a transaction converts is known to it alone until it commits; then it is known to all as
 * long as the program holds the plain object. A roll-back forgets it. Two transactions that convert
 * one plain object at the same time make two twins, since neither can see the other; the first to
 * commit is remembered.
 */
public final class Converter {
  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final ValueCells values;
  private final EmbeddedValues embedded;
  private final Twins committed = new Twins();

  // What this thread's transaction has converted.
  @SuppressWarnings("ThreadLocalUsage") // one for each store, and emptied with each transaction
  private final ThreadLocal<@Nullable IdentityHashMap<Object, Twin>> uncommitted =
      new ThreadLocal<>();

  /**
   * Creates the converter of a store.
   *
   * @param heap the store's heap
   * @param schema knows the classes
   * @param objects makes persistent objects
   * @param values writes values
   * @param embedded writes values with parts
   */
  public Converter(
      Heap heap,
      StoreSchema schema,
      StoreObjects objects,
      ValueCells values,
      EmbeddedValues embedded) {
    this.heap = heap;
    this.schema = schema;
    this.objects = objects;
    this.values = values;
    this.embedded = embedded;
  }

  /**
   * The value or object that the store keeps for a value: itself, or the persistent twin of a plain
   * object, which is converted with all that it reaches if it has no twin yet. Called inside a
   * transaction.
   *
   * @param value what is assigned, or null
   * @param path how it is reached
   * @return a value, a persistent object of this store, or null
   * @throws NotPersistableException if the value, or one that it reaches, cannot be stored; nothing
   *     was written then that anything reaches
   */
  public @Nullable Object stored(@Nullable Object value, Path path) {
    if (value == null) {
      return null;
    }
    if (value instanceof PersistentObject persistent) {
      checkHere(persistent, path);
      return value;
    }
    return isValue(value) ? value : new Conversion(this).convert(value, path);
  }

  /**
   * Writes into a reference or a cell what can be written as it is: an object of this store, null,
   * or a value without parts. Called inside a transaction.
   *
   * @param object the address of the object that holds it
   * @param offset of the slot, in bytes
   * @param kind {@link SlotKind#REFERENCE} or {@link SlotKind#CELL}
   * @param value what is assigned, or null
   * @return false, with nothing written, if it is something else, or cannot be in such a slot
   */
  public boolean writeDirect(long object, int offset, SlotKind kind, @Nullable Object value) {
    if (value instanceof PersistentObject persistent) {
      if (!objects.isHere(persistent)) {
        return false;
      }
      long target = objects.addressToLink(persistent);
      if (kind == SlotKind.CELL) {
        values.writeReference(object, offset, target);
      } else {
        heap.putLong(object, offset, target);
      }
      return true;
    }
    if (kind == SlotKind.CELL) {
      return values.write(object, offset, value);
    }
    if (value == null) {
      heap.putLong(object, offset, 0);
    }
    return value == null;
  }

  /**
   * Writes into a reference or a cell. Called inside a transaction.
   *
   * @param object the address of the object that holds it
   * @param offset of the slot, in bytes
   * @param kind {@link SlotKind#REFERENCE} or {@link SlotKind#CELL}
   * @param stored what {@link #stored} returned
   * @param path how the slot is reached
   * @throws NotPersistableException if a value is to be written into a reference
   */
  public void write(long object, int offset, SlotKind kind, @Nullable Object stored, Path path) {
    write(object, offset, kind, stored, path, this::stored);
  }

  void write(
      long object,
      int offset,
      SlotKind kind,
      @Nullable Object stored,
      Path path,
      Admission admission) {
    if (writeDirect(object, offset, kind, stored)) {
      return;
    }
    if (kind == SlotKind.REFERENCE) {
      throw new NotPersistableException(
          path
              + " is of "
              + Objects.requireNonNull(stored).getClass()
              + ", a value, where an object is kept by reference; declare the property with an"
              + " interface that is not annotated with @Persistent");
    }
    if (stored == null || !EmbeddedValues.isEmbedded(stored)) {
      throw new IllegalStateException("stored() let through what is no value: " + stored);
    }
    embedded.write(object, offset, stored, path, admission);
  }

  /**
   * Makes a persistent object from what the no-argument constructor of its class makes. Called
   * inside a transaction.
   *
   * @param type the class
   * @return a new persistent object
   */
  public Object create(PersistentClass type) {
    if (type.isInterface()) {
      return createEmpty(schema.bind(type.type())); // it has no initial values
    }
    Object plain = type.newPlain();
    Binding binding = schema.bind(type.type());
    @Nullable Object[] initial = new Object[binding.shape().properties().size()];
    for (int i = 0; i < initial.length; i++) {
      initial[i] = type.readPlain(plain, i);
      if (!isDirect(binding.shape().properties().get(i), initial[i])) {
        return new Conversion(this).convertNew(plain, Path.of(plain));
      }
    }
    return createOf(binding, plain, initial);
  }

  /** Whether a property's value is stored in its slot as it is, without an object of its own. */
  private static boolean isDirect(Property property, @Nullable Object value) {
    return switch (property.kind()) {
      case REFERENCE -> value == null;
      case CELL -> value == null || ValueCells.isValue(value);
      default -> true;
    };
  }

  /** Makes an object of values: nothing that it refers to has to be converted. */
  private Object createOf(Binding binding, Object plain, @Nullable Object[] initial) {
    Object object = createEmpty(binding);
    binding.type().copyTransients(plain, object);
    long address = objects.address(object);
    for (int i = 0; i < initial.length; i++) {
      Object value = initial[i];
      if (value == null) {
        continue;
      }
      Property property = binding.shape().properties().get(i);
      if (property.kind() == SlotKind.CELL) {
        values.write(address, property.offset(), value);
      } else {
        writeSlot(address, binding, i, value);
      }
    }
    return object;
  }

  /** Writes a primitive, or the constant of an enum property. */
  void writeSlot(long object, Binding binding, int index, Object value) {
    Property property = binding.shape().properties().get(index);
    if (property.kind() == SlotKind.ENUM) {
      heap.putInt(object, property.offset(), binding.enumNumbers(index).inSlot((Enum<?>) value));
    } else {
      PrimitiveSlots.write(heap, object, property.offset(), property.kind(), value);
    }
  }

  /** Makes an object of zeros. */
  private Object createEmpty(Binding binding) {
    Object object = objects.newObject(binding);
    long address = objects.address(object);
    heap.onRollback(() -> objects.forget(address, object)); // and keeps it alive until then
    return object;
  }

  /**
   * Makes an empty collection. Called inside a transaction.
   *
   * @param kind what it is to be
   * @param comparator the order of a sorted one; null for the natural order, and for others
   * @return a new persistent collection
   * @throws NotPersistableException if the comparator cannot be stored
   */
  public Object createCollection(CollectionKind kind, @Nullable Comparator<?> comparator) {
    return new Conversion(this).newCollection(kind, comparator);
  }

  /**
   * The twin of a plain object.
   *
   * @param plain any object
   * @return its persistent twin, or null if it has none
   */
  public @Nullable Object twinOf(Object plain) {
    Twin twin = find(plain);
    return twin == null ? null : twin.persistent();
  }

  /** Forgets all twins. */
  public void clear() {
    committed.clear();
  }

  /**
   * Says whether something is stored as it is, and not as an object with an identity.
   *
   * @param object any object
   * @return true for a value, with or without parts
   */
  public static boolean isValue(Object object) {
    return ValueCells.isValue(object) || EmbeddedValues.isEmbedded(object);
  }

  void checkHere(PersistentObject persistent, Path path) {
    if (!objects.isHere(persistent)) {
      throw new NotPersistableException(
          path
              + " would refer to an object of another store, or of this one before it was closed;"
              + " copy its values into an object of this store");
    }
    objects.address(persistent); // throws if it was rolled back
  }

  @Nullable Twin find(Object plain) {
    IdentityHashMap<Object, Twin> mine = uncommitted.get();
    Twin twin = mine == null ? null : mine.get(plain);
    return twin != null ? twin : committed.find(plain);
  }

  void add(Object plain, Twin twin) {
    IdentityHashMap<Object, Twin> mine = uncommitted.get();
    if (mine == null) {
      mine = new IdentityHashMap<>();
      uncommitted.set(mine);
    }
    mine.put(plain, twin);
  }

  void remove(Object plain) {
    IdentityHashMap<Object, Twin> mine = uncommitted.get();
    if (mine != null) {
      mine.remove(plain);
      if (mine.isEmpty()) {
        uncommitted.remove();
      }
    }
  }

  void commit(Object plain, Twin twin) {
    committed.remember(plain, twin);
    remove(plain);
  }

  Heap heap() {
    return heap;
  }

  StoreSchema schema() {
    return schema;
  }

  StoreObjects objects() {
    return objects;
  }

  ValueCells values() {
    return values;
  }
}
