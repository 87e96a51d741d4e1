package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.embedded.Admission;
import io.pmstore.proxy.embedded.EmbeddedValues;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.identity.Twins;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.InitialState;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.value.PrimitiveSlots;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts plain objects to persistent ones, for one store. Thread-safe.
 *
 * <p>Only the transaction that converts an object knows its twin until it commits; then all know
 * it, as long as the program holds the plain object. The commit stores what the plain object holds
 * then. A roll-back forgets the twin. Two transactions that convert one plain object at the same
 * time make two twins, since neither can see the other's; the first to commit is remembered.
 */
public final class Converter {
  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final ValueCells values;
  private final EmbeddedValues embedded;
  private final WorkingValues workingValues;
  private final LateChanges lateChanges;
  private final Twins committed = new Twins();

  /** The twins that one transaction has made. */
  private static final class Uncommitted {
    private final IdentityHashMap<Object, Twin> twins = new IdentityHashMap<>();
    private boolean storesLateChanges;
  }

  @SuppressWarnings("ThreadLocalUsage") // one for each store, and emptied with each transaction
  private final ThreadLocal<@Nullable Uncommitted> uncommitted = new ThreadLocal<>();

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
    this.workingValues = new WorkingValues(heap, schema, embedded, this);
    this.lateChanges = new LateChanges(this);
  }

  public WorkingValues workingValues() {
    return workingValues;
  }

  /**
   * Returns what the store keeps for a value: the value itself, or the persistent twin of a plain
   * object. Converts the object, with all that it reaches, if it has no twin yet. Runs inside a
   * transaction.
   *
   * @param value may be null
   * @param path leads to the value
   * @return a value, a persistent object of this store, or null
   * @throws NotPersistableException if the value, or one that it reaches, cannot be stored; nothing
   *     that was written is reachable then
   */
  public @Nullable Object stored(@Nullable Object value, Path path) {
    if (value == null) {
      return null;
    }
    if (value instanceof PersistentObject persistent) {
      checkHere(persistent, path);
      return Facades.unwrapped(value);
    }
    return isValue(value) ? value : new Conversion(this).convert(value, path);
  }

  /**
   * Writes a value that needs no conversion into a reference or a cell: an object of this store,
   * null, or a value without parts. Runs inside a transaction.
   *
   * @param object the address of the object that has the slot
   * @param offset of the slot, in bytes
   * @param kind {@link SlotKind#REFERENCE} or {@link SlotKind#CELL}
   * @return false, with nothing written, if the value needs a conversion, or cannot be in such a
   *     slot
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
   * Writes into a reference or a cell, inside a transaction.
   *
   * @param object the address of the object that has the slot
   * @param offset of the slot, in bytes
   * @param kind {@link SlotKind#REFERENCE} or {@link SlotKind#CELL}
   * @param stored what {@link #stored} returned
   * @param path leads to the slot
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
   * Makes a persistent object from what the no-argument constructor of its class makes. Runs inside
   * a transaction.
   */
  public Object create(PersistentClass type) {
    if (type.isInterface()) {
      return createEmpty(schema.bind(type.type())); // it has no initial values
    }
    Binding binding = schema.bind(type.type());
    InitialState known = binding.initial().get();
    if (known != null) {
      Object object = made(objects.newObject(binding, known.fields()));
      type.copyTransients(known.plain(), object);
      return object;
    }
    Object plain = type.newPlain();
    @Nullable Object[] initial = new Object[binding.shape().properties().size()];
    for (int i = 0; i < initial.length; i++) {
      initial[i] = type.readPlain(plain, i);
      if (!isDirect(binding.shape().properties().get(i), initial[i])) {
        return new Conversion(this).convertNew(plain, Path.of(plain));
      }
    }
    return createOf(binding, plain, initial);
  }

  /** Returns true if a property's value is stored in its slot, without an object of its own. */
  private boolean isDirect(Property property, @Nullable Object value) {
    return switch (property.kind()) {
      case REFERENCE -> value == null;
      case CELL -> value == null || values.isValue(value);
      default -> true;
    };
  }

  /** Makes an object whose properties are all stored in their slots. */
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
    if (binding.type().makesAlike()) {
      rememberInitial(binding, plain, address);
    }
    return object;
  }

  /** Remembers what a new object has, unless a value is outside of its slot. */
  private void rememberInitial(Binding binding, Object plain, long address) {
    for (Property property : binding.shape().properties()) {
      if (property.kind() == SlotKind.CELL
          && ReferenceMap.address(
                  heap.getLong(address, property.offset()),
                  heap.getLong(address, property.offset() + Long.BYTES))
              != 0) {
        return;
      }
    }
    binding.initial().set(new InitialState(heap.fields(address), plain));
  }

  /** Writes a property of a primitive type or of an enum. */
  void writeSlot(long object, Binding binding, int index, Object value) {
    Property property = binding.shape().properties().get(index);
    if (property.kind() == SlotKind.ENUM) {
      heap.putInt(object, property.offset(), binding.enumNumbers(index).inSlot((Enum<?>) value));
    } else {
      PrimitiveSlots.write(heap, object, property.offset(), property.kind(), value);
    }
  }

  /** Makes an object of zeros. Runs inside a transaction. */
  public Object createEmpty(Binding binding) {
    return made(objects.newObject(binding));
  }

  private Object made(Object object) {
    long address = objects.address(object);
    heap.onRollback(
        () -> objects.forget(address, object)); // keeps the object alive until then, too
    return object;
  }

  /**
   * Makes an empty collection. Runs inside a transaction.
   *
   * @param comparator the order of a sorted collection; null for the natural order and for other
   *     kinds
   * @throws NotPersistableException if the comparator cannot be stored
   */
  public Object createCollection(CollectionKind kind, @Nullable Comparator<?> comparator) {
    return new Conversion(this).newCollection(kind, comparator);
  }

  /** Returns the persistent twin of a plain object, or null if it has none. */
  public @Nullable Object twinOf(Object plain) {
    Twin twin = find(plain);
    return twin == null ? null : twin.persistent();
  }

  /** Forgets all twins for good. */
  public void clear() {
    committed.close();
  }

  /**
   * Returns true for a value, with or without parts, which is stored in a slot and has no identity.
   */
  public boolean isValue(Object object) {
    return values.isValue(object) || EmbeddedValues.isEmbedded(object);
  }

  void checkHere(PersistentObject persistent, Path path) {
    if (!objects.isHere(persistent)) {
      throw new NotPersistableException(
          path
              + " would refer to an object of another store, or of this one before it was closed;"
              + " read the object from this store, or copy it with PmStore.copy of its own store"
              + " and assign the copy");
    }
    objects.address(persistent); // throws if it was rolled back
  }

  @Nullable Twin find(Object plain) {
    Twin twin = findUncommitted(plain);
    return twin != null ? twin : committed.find(plain);
  }

  /** Returns the twin that the current transaction has made, or null. */
  @Nullable Twin findUncommitted(Object plain) {
    Uncommitted mine = uncommitted.get();
    return mine == null ? null : mine.twins.get(plain);
  }

  void add(Object plain, Twin twin) {
    Uncommitted mine = uncommitted.get();
    if (mine == null) {
      mine = new Uncommitted();
      uncommitted.set(mine);
      heap.beforeCommit(this::storeLateChanges);
    }
    mine.twins.put(plain, twin);
  }

  /**
   * Stores what the program has changed, since their conversion, in the originals of the current
   * transaction.
   */
  private void storeLateChanges() {
    Uncommitted mine = uncommitted.get();
    if (mine != null) {
      workingValues.writeBack(); // what methods of the twins have changed in place
      storeLateChanges(mine, mine.twins.keySet().toArray());
    }
  }

  /**
   * Does the same for one original that is assigned again, and the collections that it refers to.
   */
  void storeLateChanges(Object plain) {
    Uncommitted mine = uncommitted.get();
    if (mine != null && !mine.storesLateChanges) {
      storeLateChanges(mine, lateChanges.withCollections(plain));
    }
  }

  private void storeLateChanges(Uncommitted mine, Object[] originals) {
    mine.storesLateChanges = true;
    try {
      lateChanges.store(originals);
    } finally {
      mine.storesLateChanges = false;
    }
  }

  void remove(Object plain) {
    Uncommitted mine = uncommitted.get();
    if (mine != null) {
      mine.twins.remove(plain);
      if (mine.twins.isEmpty()) {
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
