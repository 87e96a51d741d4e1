package io.pmstore.proxy.generic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Utf8;
import io.pmstore.proxy.collection.CellCodec;
import io.pmstore.proxy.slot.PrimitiveSlots;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.proxy.value.WordValues;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots and cells of a store as values without classes. What {@link ValueCells} can read
 * without the program's classes, it reads and writes. Thread-safe, but for {@link #appending}.
 */
final class GenericCells implements CellCodec {
  private static final int DEPTH_MAX = 200;

  private final GenericStore store;
  private final Heap heap;
  private final Catalogue catalogue;
  private final ValueCells values;
  private final GenericHash hashes;
  private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);
  private volatile int comparison;

  GenericCells(GenericStore store, ValueCells values) {
    this.store = store;
    this.heap = store.heap();
    this.catalogue = store.catalogue();
    this.values = values;
    this.hashes = new GenericHash(catalogue);
  }

  GenericHash hashes() {
    return hashes;
  }

  /**
   * Makes each key greater than all keys of a sorted collection, or less, for as long as one is
   * filled in its order.
   *
   * @param result of each comparison; 0 to compare again
   */
  void appending(int result) {
    comparison = result;
  }

  // ---- reading

  /** Reads a slot of an object at the address of its fields. */
  @Nullable Object read(long body, Property property) {
    int offset = property.offset();
    return switch (property.kind()) {
      case REFERENCE -> readReference(heap.getLong(body, offset));
      case CELL -> readCell(body, offset);
      case ENUM -> {
        int slot = heap.getInt(body, offset);
        yield slot == 0 ? null : constant(catalogue.enumType(property), slot - 1L);
      }
      default ->
          property.kind().isWord()
              ? WordValues.read(heap, property.kind(), heap.getLong(body, offset))
              : PrimitiveSlots.read(heap, body, offset, property.kind());
    };
  }

  private GenericEnum constant(EnumType type, long number) {
    EnumType newest = catalogue.newest(type);
    if (number < 0 || number >= newest.constants().size()) {
      throw new StoreDamagedException(
          "found constant number %d of enum %s, expected 0 to %d; restore the store from a backup"
              .formatted(number, newest, newest.constants().size() - 1));
    }
    int known = (int) number;
    return new GenericEnum(newest, known, type.id(), catalogue.firstName(newest, known));
  }

  /** Returns the constant of an enum with a name that it has or had. */
  @Nullable GenericEnum constant(EnumType type, String name) {
    EnumType newest = catalogue.newest(type);
    int number = newest.constants().indexOf(name);
    return number < 0 ? null : constant(type, number);
  }

  @Override
  public @Nullable Object readReference(long reference) {
    return reference == 0 ? null : target(reference);
  }

  @Override
  public @Nullable Object readCell(long object, int offset) {
    long first = heap.getLong(object, offset);
    if (first == CellLayout.NULL) {
      return null;
    }
    long second = heap.getLong(object, offset + CellLayout.C_OFFSET);
    return switch (CellLayout.tag(first)) {
      case CellLayout.OBJECT -> target(second);
      case CellLayout.EMBEDDED -> nested(second);
      case CellLayout.ENUM -> constant(catalogue.enumType(CellLayout.b(first)), second);
      case CellLayout.CLASS -> new GenericClass(new String(heap.blobs().read(second), UTF_8));
      case CellLayout.REGISTERED ->
          new GenericValue(catalogue.valueType(CellLayout.b(first)), heap.blobs().read(second));
      default -> values.read(object, first, second);
    };
  }

  private Object target(long address) {
    try {
      return store.at(address);
    } catch (StoreDamagedException e) {
      return new GenericDamage(address, String.valueOf(e.getMessage()));
    }
  }

  private Object nested(long home) {
    int[] nesting = depth.get();
    if (nesting[0] > DEPTH_MAX) {
      throw new StoreDamagedException(
          "records and arrays lie in each other more than %d deep, the one at heap address %d among them, expected less; restore the store from a backup"
              .formatted(DEPTH_MAX, home));
    }
    nesting[0]++;
    try {
      return value(home);
    } finally {
      nesting[0]--;
    }
  }

  /** Returns the record or array at an address. */
  private Object value(long home) {
    long body = heap.bodies().body(home);
    Shape shape = catalogue.shape(heap.shapeId(body));
    if (shape.className().startsWith("[")) {
      Object elements = read(body, shape.properties().getFirst());
      if (elements instanceof List<?> list) {
        return new GenericArray(shape, new ArrayList<@Nullable Object>(list));
      }
      throw new StoreDamagedException(
          "the array at heap address %d has something else than a list as its elements; restore the store from a backup"
              .formatted(home));
    }
    TreeMap<String, @Nullable Object> parts = new TreeMap<>();
    shape.properties().forEach(property -> parts.put(property.name(), read(body, property)));
    return new GenericRecord(shape, catalogue.newest(shape).className(), parts);
  }

  // ---- writing, inside a transaction

  /** Writes a slot of an object whose fields are at an address. */
  void write(long body, Property property, @Nullable Object value) {
    int offset = property.offset();
    switch (property.kind()) {
      case REFERENCE -> heap.putLong(body, offset, address(value, property));
      case CELL -> writeCell(body, offset, value);
      case ENUM ->
          heap.putInt(body, offset, value == null ? 0 : ((GenericEnum) value).number() + 1);
      case BOOLEAN, BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE ->
          PrimitiveSlots.write(
              heap, body, offset, property.kind(), Objects.requireNonNull(value, property.name()));
      default -> WordValues.write(heap, body, offset, property.kind(), value);
    }
  }

  private static long address(@Nullable Object value, Property property) {
    return switch (value) {
      case null -> 0;
      case PersistentObject object -> GenericStore.address(object);
      default ->
          throw new IllegalArgumentException(
              "%s holds an object by reference, not %s".formatted(property, value));
    };
  }

  @Override
  public void writeCell(long object, int offset, @Nullable Object value) {
    switch (value) {
      case GenericEnum constant ->
          put(object, offset, CellLayout.ENUM, constant.typeId(), constant.number());
      case GenericClass type ->
          put(
              object,
              offset,
              CellLayout.CLASS,
              0,
              heap.blobs().create(Utf8.bytes(type.name(), "class name", "rename the class")));
      case GenericValue registered -> {
        long blob = heap.blobs().create(registered.bytes());
        put(object, offset, CellLayout.REGISTERED, registered.type().id(), blob);
      }
      case GenericRecord record -> {
        long made = heap.allocate(record.shape().id(), record.shape().size());
        for (Property property : record.shape().properties()) {
          write(made, property, record.values().get(property.name()));
        }
        put(object, offset, CellLayout.EMBEDDED, 0, made);
      }
      case GenericArray array -> {
        long made = heap.allocate(array.shape().id(), array.shape().size());
        List<@Nullable Object> list = store.newList();
        list.addAll(array.elements());
        write(made, array.shape().properties().getFirst(), list);
        put(object, offset, CellLayout.EMBEDDED, 0, made);
      }
      case StoredComparator comparator -> writeCell(object, offset, comparator.value());
      case PersistentObject persistent ->
          put(object, offset, CellLayout.OBJECT, 0, GenericStore.address(persistent));
      case null, default -> {
        if (!values.write(object, offset, value)) {
          throw new IllegalArgumentException("no cell can hold " + value);
        }
      }
    }
  }

  private void put(long object, int offset, int tag, int b, long second) {
    ValueCells.put(heap, object, offset, CellLayout.first(tag, 0, b), second);
  }

  @Override
  public long referenceTo(@Nullable Object stored) {
    return switch (stored) {
      case null -> 0;
      case PersistentObject object -> GenericStore.address(object);
      default -> NO_REFERENCE;
    };
  }

  // ---- comparing

  @Override
  public int compare(@Nullable Object value, long object, int offset) {
    return comparison != 0 ? comparison : CellCodec.super.compare(value, object, offset);
  }

  @Override
  public int compare(@Nullable Object one, @Nullable Object other) {
    return comparison != 0 ? comparison : CellCodec.super.compare(one, other);
  }

  @Override
  public int hash(@Nullable Object key) {
    return hashes.hash(key);
  }

  @Override
  public int secondHash(@Nullable Object key, long secret) {
    return hashes.secondHash(key, secret);
  }

  @Override
  public boolean cellHasLastingHash(long object, int offset) {
    return true; // nothing here looks for keys whose own hash may have changed
  }

  // ---- comparators

  @Override
  public @Nullable String comparatorName(Comparator<?> comparator) {
    return comparator instanceof GenericComparator named ? named.name() : null;
  }

  @Override
  public Comparator<?> comparator(String name) {
    return new GenericComparator(name);
  }
}
